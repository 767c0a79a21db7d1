/** OpenShift and monitoring kinds we read or write. Only what we need of them is typed; the rest is kept, not checked. */
import { type CrdManifest, crdOf, type KindDefinition, type ObjectOf, resourceOf } from '../schema/index.ts';
import { clusterOperator, clusterVersion } from './cluster-version.ts';
import {
  apiServer,
  authentication,
  build,
  clusterImagePolicy,
  consoleConfig,
  dnsConfig,
  featureGate,
  image,
  imageDigestMirrorSet,
  imageTagMirrorSet,
  infrastructure,
  ingress,
  network,
  nodeConfig,
  oauth,
  operatorHub,
  project,
  proxy,
  scheduler,
} from './config.ts';
import { podMonitor, prometheusRule, serviceMonitor } from './monitoring.ts';
import {
  containerRuntimeConfig,
  kubeletConfig,
  machineConfig,
  machineConfigPool,
  performanceProfile,
  tuned,
  tunedProfile,
} from './node-config.ts';
import {
  cloudCredential,
  clusterCSIDriver,
  consoleOperator,
  dnsOperator,
  imageContentSourcePolicy,
  imageRegistry,
  ingressController,
  kubeAPIServerOperator,
  operatorNetwork,
  snapshotController,
  storageOperator,
} from './operator.ts';
import { route } from './route.ts';

export type APIServer = ObjectOf<typeof apiServer>;
export type Authentication = ObjectOf<typeof authentication>;
export type FeatureGate = ObjectOf<typeof featureGate>;
export type ImageConfig = ObjectOf<typeof image>;
export type IngressConfig = ObjectOf<typeof ingress>;
export type NetworkConfig = ObjectOf<typeof network>;
export type OAuth = ObjectOf<typeof oauth>;
export type OperatorHub = ObjectOf<typeof operatorHub>;
export type Proxy = ObjectOf<typeof proxy>;
export type Scheduler = ObjectOf<typeof scheduler>;
export type DNS = ObjectOf<typeof dnsConfig>;
export type Infrastructure = ObjectOf<typeof infrastructure>;
export type BuildConfiguration = ObjectOf<typeof build>;
export type ConsoleConfig = ObjectOf<typeof consoleConfig>;
export type NodeConfig = ObjectOf<typeof nodeConfig>;
export type ProjectConfig = ObjectOf<typeof project>;
export type ClusterImagePolicy = ObjectOf<typeof clusterImagePolicy>;
export type ImageDigestMirrorSet = ObjectOf<typeof imageDigestMirrorSet>;
export type ImageTagMirrorSet = ObjectOf<typeof imageTagMirrorSet>;
export type ClusterVersion = ObjectOf<typeof clusterVersion>;
export type ClusterOperator = ObjectOf<typeof clusterOperator>;
export type Route = ObjectOf<typeof route>;
export type IngressController = ObjectOf<typeof ingressController>;
export type OperatorNetwork = ObjectOf<typeof operatorNetwork>;
export type StorageOperator = ObjectOf<typeof storageOperator>;
export type SnapshotController = ObjectOf<typeof snapshotController>;
export type CloudCredential = ObjectOf<typeof cloudCredential>;
export type ClusterCSIDriver = ObjectOf<typeof clusterCSIDriver>;
export type ConsoleOperator = ObjectOf<typeof consoleOperator>;
export type DnsOperator = ObjectOf<typeof dnsOperator>;
export type KubeAPIServerOperator = ObjectOf<typeof kubeAPIServerOperator>;
export type ImageRegistryConfig = ObjectOf<typeof imageRegistry>;
export type ImageContentSourcePolicy = ObjectOf<typeof imageContentSourcePolicy>;
export type MachineConfig = ObjectOf<typeof machineConfig>;
export type KubeletConfig = ObjectOf<typeof kubeletConfig>;
export type ContainerRuntimeConfig = ObjectOf<typeof containerRuntimeConfig>;
export type MachineConfigPool = ObjectOf<typeof machineConfigPool>;
export type Tuned = ObjectOf<typeof tuned>;
export type TunedProfile = ObjectOf<typeof tunedProfile>;
export type PerformanceProfile = ObjectOf<typeof performanceProfile>;
export type ServiceMonitor = ObjectOf<typeof serviceMonitor>;
export type PodMonitor = ObjectOf<typeof podMonitor>;
export type PrometheusRule = ObjectOf<typeof prometheusRule>;

export const apiServers = resourceOf(apiServer);
export const authentications = resourceOf(authentication);
export const featureGates = resourceOf(featureGate);
export const images = resourceOf(image);
export const ingresses = resourceOf(ingress);
export const networks = resourceOf(network);
export const oauths = resourceOf(oauth);
export const operatorHubs = resourceOf(operatorHub);
export const proxies = resourceOf(proxy);
export const schedulers = resourceOf(scheduler);
export const dnsConfigs = resourceOf(dnsConfig);
export const infrastructures = resourceOf(infrastructure);
export const builds = resourceOf(build);
export const consoleConfigs = resourceOf(consoleConfig);
export const nodeConfigs = resourceOf(nodeConfig);
export const projects = resourceOf(project);
export const clusterImagePolicies = resourceOf(clusterImagePolicy);
export const imageDigestMirrorSets = resourceOf(imageDigestMirrorSet);
export const imageTagMirrorSets = resourceOf(imageTagMirrorSet);
export const clusterVersions = resourceOf(clusterVersion);
export const clusterOperators = resourceOf(clusterOperator);
export const routes = resourceOf(route);
export const ingressControllers = resourceOf(ingressController);
export const operatorNetworks = resourceOf(operatorNetwork);
export const storageOperators = resourceOf(storageOperator);
export const snapshotControllers = resourceOf(snapshotController);
export const cloudCredentials = resourceOf(cloudCredential);
export const clusterCSIDrivers = resourceOf(clusterCSIDriver);
export const consoleOperators = resourceOf(consoleOperator);
export const dnsOperators = resourceOf(dnsOperator);
export const kubeAPIServerOperators = resourceOf(kubeAPIServerOperator);
export const imageRegistrys = resourceOf(imageRegistry);
export const imageContentSourcePolicies = resourceOf(imageContentSourcePolicy);
export const machineConfigs = resourceOf(machineConfig);
export const kubeletConfigs = resourceOf(kubeletConfig);
export const containerRuntimeConfigs = resourceOf(containerRuntimeConfig);
export const machineConfigPools = resourceOf(machineConfigPool);
export const tuneds = resourceOf(tuned);
export const tunedProfiles = resourceOf(tunedProfile);
export const performanceProfiles = resourceOf(performanceProfile);
export const serviceMonitors = resourceOf(serviceMonitor);
export const podMonitors = resourceOf(podMonitor);
export const prometheusRules = resourceOf(prometheusRule);

/** Kinds of a hosted cluster, and Route, which a management cluster may lack. */
export const openshiftKinds: readonly KindDefinition[] = [
  apiServer,
  authentication,
  featureGate,
  image,
  ingress,
  network,
  oauth,
  operatorHub,
  proxy,
  scheduler,
  dnsConfig,
  infrastructure,
  build,
  consoleConfig,
  nodeConfig,
  project,
  clusterImagePolicy,
  imageDigestMirrorSet,
  imageTagMirrorSet,
  clusterVersion,
  clusterOperator,
  route,
  ingressController,
  operatorNetwork,
  storageOperator,
  snapshotController,
  cloudCredential,
  clusterCSIDriver,
  consoleOperator,
  dnsOperator,
  kubeAPIServerOperator,
  imageRegistry,
  imageContentSourcePolicy,
  machineConfig,
  kubeletConfig,
  containerRuntimeConfig,
  machineConfigPool,
  tuned,
  tunedProfile,
  performanceProfile,
];

/** Kinds of the Prometheus operator. */
export const monitoringKinds: readonly KindDefinition[] = [serviceMonitor, podMonitor, prometheusRule];

/** A hosted cluster has feature gates of its own, so its CRDs know every field. */
function withEveryGate(kind: KindDefinition): CrdManifest {
  const { metadata, ...crd } = crdOf(kind, 'CustomNoUpgrade')!;
  return { ...crd, metadata: { name: metadata.name } };
}

export const openshiftCrds = (): readonly CrdManifest[] => openshiftKinds.map(withEveryGate);
export const monitoringCrds = (): readonly CrdManifest[] => monitoringKinds.map(withEveryGate);
