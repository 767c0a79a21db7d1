import type { GCPMachineProviderSpec } from '@hypershift-ts/machines-machine-api';
import type { gcpv1beta1 } from '@hypershift-ts/machines-providers';
import type { Draft } from '../../wire/draft.ts';
import { mustBeDefaultCredentials, mustMatch } from '../cluster-settings.ts';
import { isControlPlane } from '../control-plane.ts';
import { infraStatus, statusText } from '../instance-status.ts';
import type { InfraParts, MachineApiSource, ToClusterApi } from '../platform-conversion.ts';
import { disksToClusterApi } from './disks.ts';

type Spec = GCPMachineProviderSpec;
type Input = ToClusterApi<Spec, gcpv1beta1.GCPCluster>;
type GCPMachineSpec = gcpv1beta1.GCPMachineSpec;

export const defaultCredentials = 'gcp-cloud-credentials';

/** A GCPMachineProviderSpec as a GCPMachine. */
export function gcpToClusterApi(input: Input): InfraParts<Draft<GCPMachineSpec>> {
  const { spec, machine, cluster, findings, path } = input;
  refuse(input);
  const project = spec.projectID || cluster?.spec.project || '';
  const [nic] = spec.networkInterfaces ?? [];
  const { shieldedInstanceConfig: shielded = {} } = spec;
  return {
    spec: {
      instanceType: spec.machineType,
      subnet: nic?.subnetwork || undefined,
      providerID: machine.spec.providerID || undefined,
      ...disksToClusterApi(spec.disks, project, `${path}.disks`, findings),
      additionalLabels: spec.labels,
      additionalMetadata: spec.gcpMetadata,
      publicIP: nic?.publicIP || undefined,
      additionalNetworkTags: spec.tags,
      resourceManagerTags: spec.resourceManagerTags,
      serviceAccounts: serviceAccount(input),
      preemptible: spec.preemptible,
      provisioningModel: spec.provisioningModel,
      // Cluster API forwards unless told otherwise, the Machine API does not.
      ipForwarding: spec.canIPForward ? 'Enabled' : 'Disabled',
      shieldedInstanceConfig: Object.values(shielded).some(Boolean) ? shielded : undefined,
      onHostMaintenance: spec.onHostMaintenance || undefined,
      confidentialCompute: spec.confidentialCompute || undefined,
      guestAccelerators: spec.gpus?.map(({ count, type }) => ({
        count,
        type: `projects/${project}/zones/${spec.zone}/acceleratorTypes/${type}`,
      })),
    },
    status: gcpStatus(machine),
    failureDomain: spec.zone,
    userDataSecret: spec.userDataSecret?.name,
  };
}

function refuse({ spec, machine, cluster, findings, path }: Input): void {
  findings.unsupported(path, spec, {
    metadata: 'metadata is not supported',
    deletionProtection: 'deletionProtection is not supported',
    ...(isControlPlane(machine) ? {} : { targetPools: 'targetPools are not supported for non-control plane machines' }),
  });
  if (isControlPlane(machine) && spec.targetPools?.length)
    findings.warn(`${path}.targetPools`, spec.targetPools, 'targetPools belong to the cluster in CAPI, ignoring');
  if (spec.restartPolicy === 'Never')
    findings.invalid(`${path}.restartPolicy`, spec.restartPolicy, 'restartPolicy Never is not supported');
  findings.oneOf(`${path}.restartPolicy`, spec.restartPolicy, ['Always', 'Never']);
  findings.oneOf(`${path}.provisioningModel`, spec.provisioningModel, ['Spot']);
  mustBeDefaultCredentials(`${path}.credentialsSecret`, spec.credentialsSecret, defaultCredentials, findings);
  const interfaces = spec.networkInterfaces ?? [];
  if (interfaces.length > 1)
    findings.invalid(`${path}.networkInterfaces`, interfaces, 'more than one network interface is not supported');
  if (!cluster) return;
  const { region, project, network } = cluster.spec;
  const same = (field: string, value: string | undefined, name: string, expected: string | undefined) =>
    mustMatch(`${path}.${field}`, value, { name: `${name} of GCPCluster`, value: expected }, findings);
  same('region', spec.region, 'region', region);
  same('projectID', spec.projectID, 'project', project);
  const [nic] = interfaces;
  same('networkInterfaces[0].network', nic?.network, 'network.name', network?.name);
  same('networkInterfaces[0].projectID', nic?.projectID, 'network.hostProject', network?.hostProject ?? project);
}

function serviceAccount({ spec: { serviceAccounts = [] }, findings, path }: Input): GCPMachineSpec['serviceAccounts'] {
  const field = `${path}.serviceAccounts`;
  if (serviceAccounts.length > 1)
    findings.invalid(field, serviceAccounts, 'more than one service account is not supported');
  if (serviceAccounts.length === 0)
    findings.warn(field, serviceAccounts, 'CAPI uses the default service account where none is given');
  return serviceAccounts[0];
}

function gcpStatus({ status }: MachineApiSource): gcpv1beta1.GCPMachineStatus {
  const instanceState = statusText(status?.providerStatus, 'instanceState');
  return { ...infraStatus(status, instanceState === 'RUNNING'), ...(instanceState ? { instanceState } : {}) };
}
