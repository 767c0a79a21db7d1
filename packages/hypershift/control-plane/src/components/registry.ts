import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import type { Component } from '../framework/component.ts';
import { awsNodeTerminationHandler } from './aws-node-termination-handler/component.ts';
import { catalogOperator } from './catalog-operator/component.ts';
import { cloudControllerManagers } from './cloud-controller-manager/component.ts';
import { cloudCredentialOperator } from './cloud-credential-operator/component.ts';
import { clusterAutoscaler } from './cluster-autoscaler/component.ts';
import { clusterImageRegistryOperator } from './cluster-image-registry-operator/component.ts';
import { clusterNetworkOperator } from './cluster-network-operator/component.ts';
import { clusterNodeTuningOperator } from './cluster-node-tuning-operator/component.ts';
import { clusterPolicyController } from './cluster-policy-controller/component.ts';
import { clusterStorageOperator } from './cluster-storage-operator/component.ts';
import { clusterVersionOperator } from './cluster-version-operator/component.ts';
import { controlPlanePkiOperator } from './control-plane-pki-operator/component.ts';
import { csiSnapshotControllerOperator } from './csi-snapshot-controller-operator/component.ts';
import { dnsOperator } from './dns-operator/component.ts';
import { endpointResolver } from './endpoint-resolver/component.ts';
import { shardClusters } from './etcd/clusters.ts';
import { etcd, etcdComponent } from './etcd/component.ts';
import { featureGateGenerator } from './featuregate-generator/component.ts';
import { hostedClusterConfigOperator } from './hosted-cluster-config-operator/component.ts';
import { ignitionServerProxy } from './ignition-server-proxy/component.ts';
import { ignitionServer } from './ignition-server/component.ts';
import { ingressOperator } from './ingress-operator/component.ts';
import { konnectivityAgent } from './konnectivity-agent/component.ts';
import { kubeApiServer } from './kube-apiserver/component.ts';
import { kubeControllerManager } from './kube-controller-manager/component.ts';
import { kubeScheduler } from './kube-scheduler/component.ts';
import { kubeStorageVersionMigrator } from './kube-storage-version-migrator/component.ts';
import { kubevirtCsiController } from './kubevirt-csi-controller/component.ts';
import { machineApprover } from './machine-approver/component.ts';
import { metricsProxy } from './metrics-proxy/component.ts';
import { oauthServer } from './oauth-openshift/component.ts';
import { olmCollectProfiles } from './olm-collect-profiles/component.ts';
import { operatorLifecycleOperator } from './olm-operator/component.ts';
import { openshiftApiServer } from './openshift-apiserver/component.ts';
import { openshiftControllerManager } from './openshift-controller-manager/component.ts';
import { openshiftOAuthApiServer } from './openshift-oauth-apiserver/component.ts';
import { openshiftRouteControllerManager } from './openshift-route-controller-manager/component.ts';
import { operatorCatalogs } from './operator-catalogs/component.ts';
import { packageServer } from './packageserver/component.ts';
import { router } from './router/component.ts';

/** Components the control plane operator runs, in the order they are looked at. */
export const controlPlaneComponentList: readonly Component[] = [
  controlPlanePkiOperator,
  etcd,
  featureGateGenerator,
  kubeApiServer,
  kubeControllerManager,
  kubeScheduler,
  openshiftApiServer,
  openshiftOAuthApiServer,
  clusterAutoscaler,
  clusterVersionOperator,
  openshiftControllerManager,
  oauthServer,
  openshiftRouteControllerManager,
  clusterPolicyController,
  hostedClusterConfigOperator,
  ...cloudControllerManagers,
  cloudCredentialOperator,
  clusterStorageOperator,
  kubevirtCsiController,
  clusterNetworkOperator,
  clusterNodeTuningOperator,
  dnsOperator,
  machineApprover,
  awsNodeTerminationHandler,
  ingressOperator,
  csiSnapshotControllerOperator,
  clusterImageRegistryOperator,
  konnectivityAgent,
  ignitionServer,
  ignitionServerProxy,
  endpointResolver,
  metricsProxy,
  router,
  kubeStorageVersionMigrator,
  catalogOperator,
  operatorLifecycleOperator,
  packageServer,
  olmCollectProfiles,
  ...operatorCatalogs,
];

/** The same components with one more for every shard of etcd that this control plane has, right behind etcd. */
export function withEtcdShards(components: readonly Component[], hcp: HostedControlPlane): readonly Component[] {
  const shards = shardClusters({ hcp });
  if (shards.length === 0) return components;
  return components.flatMap((one) =>
    one === etcd ? [one, ...shards.map((shard) => etcdComponent(shard, []))] : [one],
  );
}
