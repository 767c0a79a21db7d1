/** The embedded kube-controller-manager and kube-scheduler. */
export { ControllerManager, type ControllerManagerOptions, controllerManager } from './controller-manager/controller-manager.ts';
export { type ControllerInputs, controllerNames, serviceAccountOf } from './controller-manager/controllers.ts';
export { deploymentController } from './deployment/deployment-controller.ts';
export { ServedTypes } from './discovery/served-types.ts';
export { GarbageCollector, type GarbageCollectorOptions } from './garbage-collector/garbage-collector.ts';
export { namespaceController } from './namespace/namespace-controller.ts';
export { replicaSetController, replicationControllerController } from './replicaset/replica-controller.ts';
export { Scheduler, type SchedulerOptions, scheduler } from './scheduler/scheduler.ts';
export { rootCaPublisher } from './service-account/root-ca-publisher.ts';
export { serviceAccountController } from './service-account/service-account-controller.ts';
