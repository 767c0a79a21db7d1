import type { PowerVSMachineProviderConfig } from '@hypershift-ts/machines-machine-api';
import type { ibmcloudv1beta2 } from '@hypershift-ts/machines-providers';
import type { Draft } from '../../wire/draft.ts';
import type { Findings } from '../findings.ts';
import type { InfraParts, ToClusterApi } from '../platform-conversion.ts';

type Spec = PowerVSMachineProviderConfig;
type Reference = NonNullable<ibmcloudv1beta2.IBMPowerVSMachineSpec['serviceInstance']>;

/** A PowerVSMachineProviderConfig as an IBMPowerVSMachine. */
export function powervsToClusterApi({
  spec,
  machine,
  findings,
  path,
}: ToClusterApi<Spec, ibmcloudv1beta2.IBMPowerVSCluster>): InfraParts<Draft<ibmcloudv1beta2.IBMPowerVSMachineSpec>> {
  findings.unsupported(path, spec, {
    metadata: 'metadata is not supported',
    loadBalancers: 'loadBalancers are not supported',
  });
  return {
    spec: {
      serviceInstanceID: '',
      serviceInstance: reference(spec.serviceInstance, `${path}.serviceInstance`, findings),
      sshKey: spec.keyPairName,
      image: reference(spec.image, `${path}.image`, findings),
      systemType: spec.systemType,
      processorType: spec.processorType,
      processors: spec.processors,
      memoryGiB: spec.memoryGiB,
      network: reference(spec.network, `${path}.network`, findings),
      providerID: machine.spec.providerID || undefined,
    },
    userDataSecret: spec.userDataSecret?.name,
  };
}

const places = { ID: 'id', Name: 'name', RegEx: 'regex' } as const;

function reference(resource: Spec['image'], path: string, findings: Findings): Draft<Reference> {
  for (const [type, place] of Object.entries(places))
    if (resource[place] !== undefined && type !== resource.type)
      findings.warn(`${path}.${place}`, resource[place], `${place} does not count where type is not ${type}, ignoring`);
  switch (resource.type) {
    case 'ID':
      return { id: resource.id };
    case 'Name':
      return { name: resource.name };
    case 'RegEx':
      return { regex: resource.regex };
    default:
      findings.invalid(`${path}.type`, resource.type ?? '', 'unknown type');
      return {};
  }
}
