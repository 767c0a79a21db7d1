import type { OpenstackProviderSpec } from '@hypershift-ts/machines-machine-api';
import type { openstackv1beta1 } from '@hypershift-ts/machines-providers';
import type { Draft } from '../../wire/draft.ts';
import type { Findings } from '../findings.ts';
import { machineApiNamespace } from '../names.ts';
import type { ProviderParts, ToMachineApi } from '../platform-conversion.ts';
import { filterToMachineApi, selects } from './filters.ts';
import { portsToMachineApi } from './ports-to-machine-api.ts';
import type { OpenStackMachineSpec } from './types.ts';
import { blockDevicesToMachineApi, rootVolumeToMachineApi } from './volumes.ts';

type Spec = OpenStackMachineSpec;

/** An OpenStackMachine as an OpenstackProviderSpec. */
export function openstackToMachineApi({
  spec,
  machine,
  findings,
  path,
}: ToMachineApi<Spec, openstackv1beta1.OpenStackCluster>): ProviderParts<
  Omit<Draft<OpenstackProviderSpec>, 'apiVersion' | 'kind'>
> {
  refuse(spec, path, findings);
  const { failureDomain } = machine.spec;
  const userData = machine.spec.bootstrap.dataSecretName;
  const { identityRef } = spec;
  return {
    spec: {
      cloudsSecret: identityRef ? { name: identityRef.name, namespace: machineApiNamespace } : undefined,
      cloudName: identityRef?.cloudName,
      flavor: spec.flavor,
      image: image(spec, `${path}.image`, findings),
      keyName: spec.sshKeyName,
      ...portsToMachineApi(spec.ports, `${path}.ports`, findings),
      availabilityZone: failureDomain,
      securityGroups: spec.securityGroups?.map((group, index) => {
        if (!group.id && !selects(group.filter))
          findings.invalid(
            `${path}.securityGroups[${index}]`,
            group,
            'A security group must be referenced by a UUID or filter',
          );
        return { uuid: group.id, filter: filterToMachineApi(group.filter) };
      }),
      userDataSecret: userData ? { name: userData } : undefined,
      trunk: spec.trunk,
      tags: spec.tags,
      serverMetadata: Object.fromEntries((spec.serverMetadata ?? []).map(({ key, value }) => [key, value])),
      configDrive: spec.configDrive,
      rootVolume: rootVolumeToMachineApi(spec.rootVolume, `${path}.rootVolume`, findings),
      additionalBlockDevices: blockDevicesToMachineApi(
        spec.additionalBlockDevices,
        `${path}.additionalBlockDevices`,
        findings,
      ),
      ...serverGroup(spec, path, findings),
    },
    instanceType: spec.flavor,
    zone: failureDomain,
  };
}

function refuse(spec: Spec, path: string, findings: Findings): void {
  const { identityRef } = spec;
  if (identityRef && identityRef.type !== undefined && identityRef.type !== 'Secret')
    findings.invalid(`${path}.identityRef.type`, identityRef.type, 'MAPO only supports credentials in a Secret');
  findings.unsupported(`${path}.identityRef`, identityRef ?? {}, { region: 'region is not supported' } as object);
  findings.unsupported(path, spec, {
    flavorID: 'MAPO only supports defining flavors via names',
    floatingIPPoolRef: 'floatingIPPoolRef is not supported',
    schedulerHintAdditionalProperties: 'schedulerHintAdditionalProperties are not supported',
  });
}

function image({ image: { id, imageRef, filter } }: Spec, path: string, findings: Findings): string | undefined {
  const detail = 'MAPO only supports defining images by names';
  if (id) findings.invalid(`${path}.id`, id, detail);
  else if (imageRef) findings.invalid(`${path}.imageRef`, imageRef, detail);
  else if (!filter?.name) findings.required(`${path}.filter`, detail);
  if (filter?.tags?.length)
    findings.warn(`${path}.filter.tags`, filter.tags, 'MAPO does not support filtering image by tags');
  return filter?.name;
}

function serverGroup({ serverGroup: group }: Spec, path: string, findings: Findings): Partial<OpenstackProviderSpec> {
  if (!group) return {};
  if (group.id) return { serverGroupID: group.id };
  if (group.filter?.name) return { serverGroupName: group.filter.name };
  findings.invalid(`${path}.serverGroup`, group, 'A server group must be referenced by a UUID or filter');
  return {};
}
