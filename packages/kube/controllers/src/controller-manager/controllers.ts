import type { Controller } from '@hypershift-ts/kube-controller';
import { clusterRoleAggregationController } from '../cluster-role-aggregation/cluster-role-aggregation.ts';
import type { ApprovalOptions } from '../csr/approving-controller.ts';
import { csrApprovingController } from '../csr/approving-controller.ts';
import { csrCleanerController } from '../csr/cleaner-controller.ts';
import type { CsrSigner } from '../csr/signing-controller.ts';
import { csrSigningController } from '../csr/signing-controller.ts';
import { daemonSetController } from '../daemonset/daemonset-controller.ts';
import { deploymentController } from '../deployment/deployment-controller.ts';
import type { ServedTypes } from '../discovery/served-types.ts';
import { disruptionController } from '../disruption/disruption-controller.ts';
import { endpointsController } from '../endpoints/endpoints-controller.ts';
import { endpointSliceController, endpointSliceMirroringController } from '../endpoints/endpointslice-controller.ts';
import { jobController } from '../job/job-controller.ts';
import { namespaceController } from '../namespace/namespace-controller.ts';
import type { NodeLifecycleOptions } from '../node-lifecycle/node-lifecycle-controller.ts';
import { nodeLifecycleController } from '../node-lifecycle/node-lifecycle-controller.ts';
import { podGcController } from '../pod-gc/pod-gc-controller.ts';
import { replicaSetController, replicationControllerController } from '../replicaset/replica-controller.ts';
import { rootCaPublisher } from '../service-account/root-ca-publisher.ts';
import { serviceAccountController } from '../service-account/service-account-controller.ts';
import { statefulSetController } from '../statefulset/statefulset-controller.ts';
import { taintEvictionController } from '../taint-eviction/taint-eviction-controller.ts';
import { ttlAfterFinishedController } from '../ttl-after-finished/ttl-after-finished.ts';
import { cronJobController } from '../cronjob/cronjob-controller.ts';
import type { LoadBalancerAddresses } from '../load-balancer/service-lb-controller.ts';
import { serviceLoadBalancerController } from '../load-balancer/service-lb-controller.ts';
import type { NodeIpamOptions } from '../node-ipam/node-ipam-controller.ts';
import { nodeIpamController } from '../node-ipam/node-ipam-controller.ts';
import type { LocalVolumes } from '../persistent-volume/binder-controller.ts';
import { persistentVolumeBinder } from '../persistent-volume/binder-controller.ts';
import {
  claimProtectionController,
  volumeProtectionController,
  volumeReclaimController,
} from '../persistent-volume/reclaim-controller.ts';
import { legacyTokenController } from '../service-account/legacy-token-controller.ts';

/** What some controllers need from outside; a controller whose input is absent does not run. */
export interface ControllerInputs {
  /** PEM bundle that `kube-root-ca.crt` publishes in every namespace. */
  readonly rootCa?: string;
  /** Signs approved certificate requests. */
  readonly signer?: CsrSigner;
  readonly approval?: ApprovalOptions;
  readonly nodeLifecycle?: NodeLifecycleOptions;
  /** Finished pods kept at most (`--terminated-pod-gc-threshold`). */
  readonly terminatedPodThreshold?: number;
  /** PEM private key for tokens in Secrets of type kubernetes.io/service-account-token. */
  readonly serviceAccountPrivateKey?: string;
  /** Gives nodes their pod addresses. */
  readonly nodeIpam?: NodeIpamOptions;
  /** Directories for claims of the `hypershift-ts.io/local` provisioner. */
  readonly localVolumes?: LocalVolumes;
  /** Addresses for services of type LoadBalancer. */
  readonly loadBalancers?: LoadBalancerAddresses;
}

export const garbageCollectorName = 'garbage-collector-controller';

/** Every controller that can run with these inputs. */
export function controllersFor(inputs: ControllerInputs, served: ServedTypes): readonly Controller[] {
  const {
    rootCa,
    signer,
    terminatedPodThreshold,
    serviceAccountPrivateKey: privateKey,
    nodeIpam,
    localVolumes,
    loadBalancers,
  } = inputs;
  return [
    namespaceController(served),
    serviceAccountController,
    ...(rootCa ? [rootCaPublisher(rootCa)] : []),
    replicaSetController,
    replicationControllerController,
    deploymentController,
    statefulSetController,
    daemonSetController,
    jobController,
    cronJobController,
    ttlAfterFinishedController,
    persistentVolumeBinder(localVolumes),
    volumeReclaimController(localVolumes),
    claimProtectionController,
    volumeProtectionController,
    ...(privateKey ? [legacyTokenController({ privateKey, ...(rootCa ? { rootCa } : {}) })] : []),
    ...(nodeIpam ? [nodeIpamController(nodeIpam)] : []),
    ...(loadBalancers ? [serviceLoadBalancerController(loadBalancers)] : []),
    endpointsController,
    endpointSliceController,
    endpointSliceMirroringController,
    disruptionController,
    clusterRoleAggregationController,
    csrApprovingController(inputs.approval),
    ...(signer ? [csrSigningController(signer)] : []),
    csrCleanerController,
    nodeLifecycleController(inputs.nodeLifecycle),
    taintEvictionController,
    podGcController(terminatedPodThreshold === undefined ? {} : { terminatedPodThreshold }),
  ];
}

/** The service account in kube-system that each controller's permissions are bound to, by controller name. */
export const serviceAccountOf: { readonly [controllerName: string]: string } = {
  'certificatesigningrequest-approving-controller': 'certificate-controller',
  'certificatesigningrequest-cleaner-controller': 'certificate-controller',
  'certificatesigningrequest-signing-controller': 'certificate-controller',
  'clusterrole-aggregation-controller': 'clusterrole-aggregation-controller',
  'cronjob-controller': 'cronjob-controller',
  'daemonset-controller': 'daemon-set-controller',
  'deployment-controller': 'deployment-controller',
  'disruption-controller': 'disruption-controller',
  'endpoints-controller': 'endpoint-controller',
  'endpointslice-controller': 'endpointslice-controller',
  'endpointslice-mirroring-controller': 'endpointslicemirroring-controller',
  'garbage-collector-controller': 'generic-garbage-collector',
  'job-controller': 'job-controller',
  'namespace-controller': 'namespace-controller',
  'node-ipam-controller': 'node-controller',
  'node-lifecycle-controller': 'node-controller',
  'persistentvolume-binder-controller': 'persistent-volume-binder',
  'persistentvolume-protection-controller': 'pv-protection-controller',
  'persistentvolume-reclaim-controller': 'persistent-volume-binder',
  'persistentvolumeclaim-protection-controller': 'pvc-protection-controller',
  'pod-garbage-collector-controller': 'pod-garbage-collector',
  'replicaset-controller': 'replicaset-controller',
  'replicationcontroller-controller': 'replication-controller',
  'root-ca-certificate-publisher-controller': 'root-ca-cert-publisher',
  'serviceaccount-controller': 'service-account-controller',
  'statefulset-controller': 'statefulset-controller',
  'taint-eviction-controller': 'node-controller',
  'ttl-after-finished-controller': 'ttl-after-finished-controller',
};

/**
 * Controllers that work as the controller manager itself: the first makes the tokens that the others would need, the
 * second writes finalizers, which its service account may only do where the status subresource takes metadata.
 */
export const asManager: ReadonlySet<string> = new Set(['serviceaccount-token-controller', 'service-lb-controller']);

/** The names that `--controllers` understands. */
export const controllerNames: readonly string[] = [...Object.keys(serviceAccountOf), ...asManager].sort();
