import type { VSphereMachineProviderSpec } from '@hypershift-ts/machines-machine-api';
import type { Draft } from '../../wire/draft.ts';
import { mustBeDefaultCredentials, mustMatch } from '../cluster-settings.ts';
import { infraStatus, statusText } from '../instance-status.ts';
import type { InfraParts, ToClusterApi } from '../platform-conversion.ts';
import { failureDomainOf } from './failure-domain.ts';
import { devicesToClusterApi } from './network.ts';
import type { VSphereCluster, VSphereMachineSpec } from './types.ts';

export const defaultCredentials = 'vsphere-cloud-credentials';

/** A VSphereMachineProviderSpec as a VSphereMachine. */
export function vsphereToClusterApi({
  spec,
  machine,
  cluster,
  facts,
  findings,
  path,
}: ToClusterApi<VSphereMachineProviderSpec, VSphereCluster>): InfraParts<Draft<VSphereMachineSpec>> {
  const { workspace = {} } = spec;
  const domain = failureDomainOf(workspace, facts);
  findings.unsupported(path, spec, { metadata: 'metadata is not supported' });
  mustBeDefaultCredentials(`${path}.credentialsSecret`, spec.credentialsSecret, defaultCredentials, findings);
  const server = cluster?.spec?.server;
  if (server)
    mustMatch(
      `${path}.workspace.server`,
      workspace.server,
      { name: 'server of VSphereCluster', value: server },
      findings,
    );
  if (workspace.vmGroup && !domain)
    findings.invalid(`${path}.workspace.vmGroup`, workspace.vmGroup, 'no failure domain has this vmGroup');
  return {
    spec: {
      template: spec.template,
      // Saying nothing means a full clone in one API and a linked clone in the other.
      cloneMode: spec.cloneMode || 'fullClone',
      snapshot: spec.snapshot,
      server: workspace.server,
      datacenter: workspace.datacenter,
      folder: workspace.folder,
      datastore: workspace.datastore,
      resourcePool: workspace.resourcePool,
      network: { devices: devicesToClusterApi(spec.network.devices, `${path}.network.devices`, findings) },
      numCPUs: spec.numCPUs,
      // Saying nothing means one socket in one API and what the template has in the other.
      numCoresPerSocket: spec.numCoresPerSocket || spec.numCPUs,
      memoryMiB: spec.memoryMiB,
      diskGiB: spec.diskGiB,
      tagIDs: spec.tagIDs,
      dataDisks: spec.dataDisks,
      providerID: machine.spec.providerID || undefined,
      powerOffMode: 'hard',
    },
    status: infraStatus(machine.status, statusText(machine.status?.providerStatus, 'instanceState') === 'poweredOn'),
    failureDomain: domain?.name,
    userDataSecret: spec.userDataSecret?.name,
  };
}
