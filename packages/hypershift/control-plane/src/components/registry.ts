import type { Component } from '../framework/component.ts';
import { cloudCredentialOperator } from './cloud-credential-operator/component.ts';
import { clusterAutoscaler } from './cluster-autoscaler/component.ts';
import { clusterPolicyController } from './cluster-policy-controller/component.ts';
import { clusterVersionOperator } from './cluster-version-operator/component.ts';
import { controlPlanePkiOperator } from './control-plane-pki-operator/component.ts';
import { etcd } from './etcd/component.ts';
import { featureGateGenerator } from './featuregate-generator/component.ts';
import { hostedClusterConfigOperator } from './hosted-cluster-config-operator/component.ts';
import { ignitionServer } from './ignition-server/component.ts';
import { ignitionServerProxy } from './ignition-server-proxy/component.ts';
import { konnectivityAgent } from './konnectivity-agent/component.ts';
import { kubeApiServer } from './kube-apiserver/component.ts';
import { kubeControllerManager } from './kube-controller-manager/component.ts';
import { kubeScheduler } from './kube-scheduler/component.ts';
import { machineApprover } from './machine-approver/component.ts';
import { openshiftApiServer } from './openshift-apiserver/component.ts';
import { openshiftControllerManager } from './openshift-controller-manager/component.ts';
import { openshiftOAuthApiServer } from './openshift-oauth-apiserver/component.ts';
import { openshiftRouteControllerManager } from './openshift-route-controller-manager/component.ts';
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
  openshiftRouteControllerManager,
  clusterPolicyController,
  hostedClusterConfigOperator,
  cloudCredentialOperator,
  machineApprover,
  konnectivityAgent,
  ignitionServer,
  ignitionServerProxy,
  router,
];
