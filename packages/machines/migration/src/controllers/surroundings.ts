import { formatTime, type KubeObject, type ObjectKey } from '@hypershift-ts/kube-apimachinery';
import { type Controller, controller, type CustomSource, TerminalError } from '@hypershift-ts/kube-controller';
import { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import { controlplanemachinesets, mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import type { InfraObject } from '../conversion/infra-objects.ts';
import { clusterApiNamespace, machineApiNamespace } from '../conversion/names.ts';
import { coreClusterStatus, desiredCoreCluster } from '../surroundings/core-cluster.ts';
import { controlPlaneEndpoint } from '../surroundings/endpoint.ts';
import { controlPlaneMember, desiredInfraCluster, isOurs } from '../surroundings/infra-cluster.ts';
import { inClusterApi, inMachineApi, type MigrationSettings } from './scope.ts';
import { listed } from './sync-error.ts';
import { arrivals, clusterApiWatch, everyMachineApi } from './watches.ts';
import { patchStatus } from './writes.ts';

/** There is one cluster, and it has to be thought of before any object of it exists. */
const atStart =
  (key: ObjectKey): CustomSource =>
  (enqueue) => {
    enqueue(key);
    return undefined;
  };

/** Makes the Cluster that all machines belong to, once there is an InfraCluster for it. */
export function coreClusterController({ platform, infrastructure }: MigrationSettings): Controller {
  const name = infrastructure.infrastructureName;
  return controller({
    name: 'CoreClusterController',
    for: { type: capiv1beta2.clusters, namespace: clusterApiNamespace, predicate: only(name) },
    watches: [arrivals(clusterApiWatch(platform.kinds.cluster, ({ metadata }) => [inClusterApi(metadata.name ?? '')]))],
    async reconcile(key, { cache, client, clock }) {
      if (key.name !== name || !cache.get(platform.kinds.cluster, key, { namespace: clusterApiNamespace })) return;
      let cluster = cache.get(capiv1beta2.clusters, key, { namespace: clusterApiNamespace });
      if (!cluster) {
        const endpoint = controlPlaneEndpoint(infrastructure);
        if (!endpoint) throw noEndpoint(name);
        cluster = await client.create(capiv1beta2.clusters, desiredCoreCluster(infrastructure, platform, endpoint));
      }
      const status = coreClusterStatus(cluster, formatTime(clock.now()));
      await patchStatus(client, capiv1beta2.clusters, cluster, status);
    },
  });
}

/** Makes the InfraCluster from what a member of the control plane says, and tells that it is ready. */
export function infraClusterController({ platform, infrastructure }: MigrationSettings): Controller {
  const self = inClusterApi(infrastructure.infrastructureName);
  const type = platform.kinds.cluster;
  const inOldApi = { namespace: machineApiNamespace, map: () => [self] };
  return controller({
    name: 'InfraClusterController',
    for: { type, namespace: clusterApiNamespace, predicate: only(self.name) },
    watches: [
      arrivals({ type: mapiv1beta1.machines, ...inOldApi }),
      arrivals({ type: controlplanemachinesets, ...inOldApi }),
    ],
    sources: [atStart(self)],
    async reconcile(key, { cache, client, log }) {
      if (key.name !== self.name) return;
      let stored: InfraObject | undefined = cache.get(type, key, { namespace: clusterApiNamespace });
      if (!stored) {
        const set = cache.get(controlplanemachinesets, inMachineApi('cluster'), { namespace: machineApiNamespace });
        const member = controlPlaneMember(set, everyMachineApi(mapiv1beta1.machines, cache));
        const endpoint = controlPlaneEndpoint(infrastructure);
        if (!member || !platform.toInfraCluster) {
          log.debug({ cluster: self.name }, `there is nothing to make ${type.kind} from yet`);
          return;
        }
        if (!endpoint) throw noEndpoint(self.name);
        const desired = desiredInfraCluster(member, platform, infrastructure, endpoint);
        if (!desired) return;
        if (desired.errors.length > 0)
          throw new TerminalError(`cannot make ${type.kind} ${self.name}: ${listed(desired.errors)}`);
        stored = await client.create<KubeObject>(type, desired.value);
      }
      if (isOurs(stored)) await patchStatus(client, type, stored, { ...stored.status, ready: true });
    },
  });
}

const only = (name: string) => {
  const matches = ({ metadata }: KubeObject) => metadata.name === name;
  return { created: matches, deleted: matches, updated: (_: KubeObject, next: KubeObject) => matches(next) };
};

const noEndpoint = (cluster: string) =>
  new TerminalError(
    `cannot make cluster ${cluster}: status.apiServerInternalURI of Infrastructure cluster must be a URL, set it and start again`,
  );
