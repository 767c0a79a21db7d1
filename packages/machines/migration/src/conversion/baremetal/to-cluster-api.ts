import type { BareMetalMachineProviderSpec } from '@hypershift-ts/machines-machine-api';
import type { Draft } from '../../wire/draft.ts';
import { mustBeInMachineApi } from '../cluster-settings.ts';
import { infraStatus } from '../instance-status.ts';
import { clusterApiNamespace } from '../names.ts';
import type { InfraParts, ToClusterApi } from '../platform-conversion.ts';
import type { Metal3Cluster, Metal3MachineSpec } from './types.ts';

const provisioned: ReadonlySet<string> = new Set(['Provisioned', 'Running', 'Deleting']);

/** A BareMetalMachineProviderSpec as a Metal3Machine. */
export function baremetalToClusterApi({
  spec,
  machine,
  findings,
  path,
}: ToClusterApi<BareMetalMachineProviderSpec, Metal3Cluster>): InfraParts<Draft<Metal3MachineSpec>> {
  const { image, customDeploy, userData } = spec;
  findings.unsupported(path, spec, { metadata: 'metadata is not supported' });
  mustBeInMachineApi(`${path}.userData`, userData, findings);
  if (!customDeploy?.method)
    for (const field of ['url', 'checksum'] as const)
      if (!image[field])
        findings.required(`${path}.image.${field}`, `${field} is required where customDeploy.method is not set`);
  return {
    spec: {
      providerID: machine.spec.providerID || undefined,
      image: image.url ? image : undefined,
      customDeploy: customDeploy?.method ? customDeploy : undefined,
      userData: userData?.name ? { name: userData.name, namespace: clusterApiNamespace } : undefined,
      hostSelector: spec.hostSelector,
    },
    status: infraStatus(machine.status, provisioned.has(machine.status?.phase ?? '')),
    userDataSecret: userData?.name,
  };
}
