import { findCondition } from '@hypershift-ts/kube-apimachinery';
import type { OrphanHandling } from '../platform.ts';

const machineFinalizer = 'azuremachine.infrastructure.cluster.x-k8s.io';
/** Rate limits and short outages pass in less. */
const patienceMs = 10 * 60_000;

export const azureOrphans: OrphanHandling = {
  machines: {
    group: 'infrastructure.cluster.x-k8s.io',
    version: 'v1beta1',
    kind: 'AzureMachine',
    resource: 'azuremachines',
    namespaced: true,
  },
  release: (cluster, { metadata, status }, now) => {
    if (!cluster.spec.platform.azure?.azureAuthenticationConfig.managedIdentities) return undefined;
    if (!metadata.deletionTimestamp) return undefined;
    if (now.getTime() - new Date(metadata.deletionTimestamp).getTime() < patienceMs) return undefined;
    const ready = findCondition(status?.conditions, 'Ready');
    if (ready?.status !== 'False' || ready.reason !== 'DeletionFailed') return undefined;
    if (!metadata.finalizers?.includes(machineFinalizer)) return undefined;
    return metadata.finalizers.filter((one) => one !== machineFinalizer);
  },
};
