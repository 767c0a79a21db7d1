/** The embedded kube-controller-manager and kube-scheduler. */
export { clusterRoleAggregationController } from './cluster-role-aggregation/cluster-role-aggregation.ts';
export {
  ControllerManager,
  type ControllerManagerOptions,
  controllerManager,
} from './controller-manager/controller-manager.ts';
export { type ControllerInputs, controllerNames, serviceAccountOf } from './controller-manager/controllers.ts';
export { cronJobController } from './cronjob/cronjob-controller.ts';
export { type ApprovalOptions, csrApprovingController } from './csr/approving-controller.ts';
export { csrCleanerController } from './csr/cleaner-controller.ts';
export { type CsrSigner, csrSigningController } from './csr/signing-controller.ts';
export { daemonSetController } from './daemonset/daemonset-controller.ts';
export { deploymentController } from './deployment/deployment-controller.ts';
export { ServedTypes } from './discovery/served-types.ts';
export { disruptionController } from './disruption/disruption-controller.ts';
export { endpointsController } from './endpoints/endpoints-controller.ts';
export { endpointSliceController, endpointSliceMirroringController } from './endpoints/endpointslice-controller.ts';
export { GarbageCollector, type GarbageCollectorOptions } from './garbage-collector/garbage-collector.ts';
export { jobController } from './job/job-controller.ts';
export {
  type LoadBalancerAddresses,
  type LoadBalancerIngress,
  serviceLoadBalancerController,
} from './load-balancer/service-lb-controller.ts';
export { namespaceController } from './namespace/namespace-controller.ts';
export { type NodeIpamOptions, nodeIpamController } from './node-ipam/node-ipam-controller.ts';
export { type NodeLifecycleOptions, nodeLifecycleController } from './node-lifecycle/node-lifecycle-controller.ts';
export { type LocalVolumes, localProvisioner, persistentVolumeBinder } from './persistent-volume/binder-controller.ts';
export {
  claimProtectionController,
  volumeProtectionController,
  volumeReclaimController,
} from './persistent-volume/reclaim-controller.ts';
export { podGcController } from './pod-gc/pod-gc-controller.ts';
export { replicaSetController, replicationControllerController } from './replicaset/replica-controller.ts';
export { Scheduler, type SchedulerOptions, scheduler } from './scheduler/scheduler.ts';
export { type LegacyTokenOptions, legacyTokenController } from './service-account/legacy-token-controller.ts';
export { rootCaPublisher } from './service-account/root-ca-publisher.ts';
export { serviceAccountController } from './service-account/service-account-controller.ts';
export { statefulSetController } from './statefulset/statefulset-controller.ts';
export { taintEvictionController } from './taint-eviction/taint-eviction-controller.ts';
export { ttlAfterFinishedController } from './ttl-after-finished/ttl-after-finished.ts';
export { amountsOf, podRequests } from './placement/pod-requests.ts';
export { ClusterState } from './scheduler/cluster-state.ts';
export { filtersFor, type Surroundings } from './scheduler/filters/index.ts';
export { NodeState } from './scheduler/node-state.ts';
export { isPodFinished } from './workload/pod-state.ts';
export { Expectations } from './workload/expectations.ts';
export { scaledValue } from './workload/int-or-percent.ts';
export { selectorFor } from './workload/selectors.ts';
export { slowStart } from './workload/slow-start.ts';
