import type { OpenstackProviderSpec } from '@hypershift-ts/machines-machine-api';
import type { openstackv1beta1 } from '@hypershift-ts/machines-providers';
import type { Draft } from '../../wire/draft.ts';
import { mustBeInMachineApi } from '../cluster-settings.ts';
import type { Findings } from '../findings.ts';
import { machineApiNamespace } from '../names.ts';
import type { InfraParts, ToClusterApi } from '../platform-conversion.ts';
import { referenceToClusterApi } from './filters.ts';
import { networksToClusterApi, portsToClusterApi } from './ports-to-cluster-api.ts';
import type { OpenStackMachineSpec } from './types.ts';
import { blockDevicesToClusterApi, rootVolumeToClusterApi } from './volumes.ts';

type Spec = OpenstackProviderSpec;

/** An OpenstackProviderSpec as an OpenStackMachine. */
export function openstackToClusterApi({
  spec,
  machine,
  findings,
  path,
}: ToClusterApi<Spec, openstackv1beta1.OpenStackCluster>): InfraParts<Draft<OpenStackMachineSpec>> {
  mustBeInMachineApi(`${path}.userDataSecret`, spec.userDataSecret, findings);
  return {
    spec: {
      providerID: machine.spec.providerID || undefined,
      flavor: spec.flavor || undefined,
      image: { filter: spec.image ? { name: spec.image } : undefined },
      sshKeyName: spec.keyName,
      ports: [
        ...networksToClusterApi(spec.networks, `${path}.networks`, findings),
        ...portsToClusterApi(spec.ports, `${path}.ports`, findings),
      ],
      securityGroups: securityGroups(spec, path, findings),
      trunk: spec.trunk,
      tags: spec.tags,
      serverMetadata: Object.entries(spec.serverMetadata ?? {})
        .map(([key, value]) => ({ key, value }))
        .sort((a, b) => (a.key < b.key ? -1 : 1)),
      configDrive: spec.configDrive,
      rootVolume: rootVolumeToClusterApi(spec.rootVolume, `${path}.rootVolume`, findings),
      additionalBlockDevices: blockDevicesToClusterApi(
        spec.additionalBlockDevices,
        `${path}.additionalBlockDevices`,
        findings,
      ),
      serverGroup: serverGroup(spec),
      identityRef: identity(spec, path, findings),
    },
    failureDomain: spec.availabilityZone,
    userDataSecret: spec.userDataSecret?.name,
  };
}

function securityGroups({ securityGroups: groups }: Spec, path: string, findings: Findings) {
  return groups?.map(({ uuid, name, filter }, index) => {
    const reference = referenceToClusterApi(uuid, { ...filter, ...(name ? { name } : {}) });
    if (!reference)
      findings.invalid(
        `${path}.securityGroups[${index}]`,
        groups[index],
        'A security group must be referenced by a UUID or filter',
      );
    return reference ?? {};
  });
}

function serverGroup({ serverGroupID, serverGroupName }: Spec): Draft<OpenStackMachineSpec['serverGroup']> | undefined {
  if (serverGroupID) return { id: serverGroupID };
  return serverGroupName ? { filter: { name: serverGroupName } } : undefined;
}

/** Cluster API looks for credentials beside the machine, whatever namespace the Machine API names. */
function identity(
  { cloudsSecret, cloudName }: Spec,
  path: string,
  findings: Findings,
): OpenStackMachineSpec['identityRef'] {
  if (!cloudsSecret?.name) return undefined;
  const { name, namespace } = cloudsSecret;
  if (namespace && namespace !== machineApiNamespace)
    findings.warn(
      `${path}.cloudsSecret.namespace`,
      namespace,
      'namespace is ignored, the secret is expected beside the machine',
    );
  return { type: 'Secret', name, cloudName: cloudName ?? '' };
}
