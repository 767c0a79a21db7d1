import type { PowerVSMachineProviderConfig } from '@hypershift-ts/machines-machine-api';
import type { ibmcloudv1beta2 } from '@hypershift-ts/machines-providers';
import type { Draft } from '../../wire/draft.ts';
import type { Findings } from '../findings.ts';
import type { ProviderParts, ToMachineApi } from '../platform-conversion.ts';

type Spec = ibmcloudv1beta2.IBMPowerVSMachineSpec;
type Resource = PowerVSMachineProviderConfig['image'];

/** An IBMPowerVSMachine as a PowerVSMachineProviderConfig. */
export function powervsToMachineApi({
  spec,
  machine,
  findings,
  path,
}: ToMachineApi<Spec, ibmcloudv1beta2.IBMPowerVSCluster>): ProviderParts<
  Omit<Draft<PowerVSMachineProviderConfig>, 'apiVersion' | 'kind'>
> {
  const userData = machine.spec.bootstrap.dataSecretName;
  return {
    spec: {
      userDataSecret: userData ? { name: userData } : undefined,
      serviceInstance: serviceInstance(spec, path, findings),
      image: image(spec, path, findings),
      network: network(spec, path, findings),
      keyPairName: spec.sshKey,
      systemType: spec.systemType,
      processorType: spec.processorType,
      processors: spec.processors,
      memoryGiB: spec.memoryGiB,
    },
    instanceType: spec.systemType,
  };
}

/** By id, by name or by pattern, in this order. */
function resource(
  { id, name, regex }: NonNullable<Spec['image']> = {},
  path: string,
  findings: Findings,
): Resource | undefined {
  if ([id, name, regex].filter((value) => value !== undefined).length > 1)
    findings.warn(path, { id, name, regex }, 'only one of id, name and regex counts, in this order');
  if (id !== undefined) return { type: 'ID', id };
  if (name !== undefined) return { type: 'Name', name };
  return regex === undefined ? undefined : { type: 'RegEx', regex };
}

function serviceInstance(spec: Spec, path: string, findings: Findings): Resource {
  if (spec.serviceInstanceID) return { type: 'ID', id: spec.serviceInstanceID };
  const field = `${path}.serviceInstance`;
  const converted = resource(spec.serviceInstance, field, findings);
  if (!spec.serviceInstance)
    findings.invalid(field, null, 'unable to convert service instance, service instance is nil');
  else if (!converted) findings.invalid(field, spec.serviceInstance, 'unable to convert service instance to MAPI');
  return converted ?? {};
}

function image(spec: Spec, path: string, findings: Findings): Resource {
  const field = `${path}.image`;
  if (!spec.image) {
    if (spec.imageRef?.name) return { type: 'Name', name: spec.imageRef.name };
    findings.invalid(field, null, 'unable to convert image, image and imageref is nil');
    return {};
  }
  if (spec.imageRef) findings.warn(`${path}.imageRef`, spec.imageRef, 'imageRef does not count beside image, ignoring');
  const converted = resource(spec.image, field, findings);
  if (!converted) findings.invalid(field, spec.image, 'unable to convert image, image id, name and regex all are nil');
  return converted ?? {};
}

function network(spec: Spec, path: string, findings: Findings): Resource {
  const converted = resource(spec.network, `${path}.network`, findings);
  if (!converted) findings.invalid(`${path}.network`, spec.network ?? {}, 'unable to convert network to MAPI');
  return converted ?? {};
}
