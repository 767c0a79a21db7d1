import { annotations, type HostedClusterManifest } from '@hypershift-ts/hypershift-api';
import { keyValues, someKeyValues } from '../key-values.ts';
import type { ClusterRequest, HostedClusterSpec } from './request.ts';
import { sshSecretName, pullSecretName, encryptionKeyName, trustBundleName } from './secrets.ts';
import { parseToleration } from './toleration.ts';

/** What the platform adds to the HostedCluster; its fields win. */
export interface PlatformSpec
  extends Pick<HostedClusterSpec, 'platform' | 'services'>,
    Partial<Omit<HostedClusterSpec, 'platform' | 'services'>> {}

function networking(request: ClusterRequest): NonNullable<HostedClusterSpec['networking']> {
  const networks = (ranges: readonly string[]) => ranges.map((cidr) => ({ cidr }));
  return {
    networkType: request.networkType as 'OVNKubernetes',
    clusterNetwork: networks(request.clusterCidr),
    serviceNetwork: networks(request.serviceCidr),
    ...(request.machineCidr.length > 0 ? { machineNetwork: networks(request.machineCidr) } : {}),
    ...(request.allocateNodeCidrs ? { allocateNodeCIDRs: 'Enabled' as const } : {}),
  };
}

function networkOperator(request: ClusterRequest): Pick<HostedClusterSpec, 'operatorConfiguration'> {
  const settings = {
    ...(request.disableMultiNetwork ? { disableMultiNetwork: true } : {}),
    ...(request.ovnKubernetesMtu === undefined ? {} : { ovnKubernetesConfig: { mtu: request.ovnKubernetesMtu } }),
  };
  return Object.keys(settings).length > 0 ? { operatorConfiguration: { clusterNetworkOperator: settings } } : {};
}

function configuration(request: ClusterRequest, platform: PlatformSpec): Pick<HostedClusterSpec, 'configuration'> {
  const settings = {
    ...(request.featureSet ? { featureGate: { featureSet: request.featureSet as 'TechPreviewNoUpgrade' } } : {}),
    ...(request.olmDisableDefaultSources ? { operatorHub: { disableAllDefaultSources: true } } : {}),
    ...platform.configuration,
  };
  return Object.keys(settings).length > 0 ? { configuration: settings } : {};
}

function capabilities(request: ClusterRequest): Pick<HostedClusterSpec, 'capabilities'> {
  const { enableClusterCapabilities: enabled, disableClusterCapabilities: disabled } = request;
  if (enabled.length + disabled.length === 0) return {};
  const settings = {
    ...(enabled.length > 0 ? { enabled } : {}),
    ...(disabled.length > 0 ? { disabled } : {}),
  };
  return { capabilities: settings as NonNullable<HostedClusterSpec['capabilities']> };
}

function etcd({ etcdStorageClass, etcdStorageSize }: ClusterRequest): NonNullable<HostedClusterSpec['etcd']> {
  return {
    managementType: 'Managed',
    managed: {
      storage: {
        type: 'PersistentVolume',
        persistentVolume: {
          size: etcdStorageSize,
          ...(etcdStorageClass ? { storageClassName: etcdStorageClass } : {}),
        },
      },
    },
  };
}

/** The domain of the cluster; a prefix of `none` means none at all, not even the name. */
export function dnsOf(
  { baseDomain, baseDomainPrefix: prefix }: ClusterRequest,
  defaultDomain: string,
): NonNullable<HostedClusterSpec['dns']> {
  return {
    baseDomain: baseDomain ?? defaultDomain,
    ...(prefix ? { baseDomainPrefix: prefix === 'none' ? '' : prefix } : {}),
  };
}

function references(request: ClusterRequest): Partial<HostedClusterSpec> {
  return {
    ...(request.ssh ? { sshKey: { name: sshSecretName(request) } } : {}),
    ...(request.trustBundleContent ? { additionalTrustBundle: { name: trustBundleName } } : {}),
    ...(request.imageContentSourceList ? { imageContentSources: request.imageContentSourceList } : {}),
  };
}

function scheduling(request: ClusterRequest): Partial<HostedClusterSpec> {
  return {
    ...someKeyValues('nodeSelector', request.nodeSelector, 'node-selector'),
    ...someKeyValues('labels', request.podsLabels, 'pods-labels'),
    ...(request.toleration.length > 0 ? { tolerations: request.toleration.map(parseToleration) } : {}),
  };
}

function clusterAnnotations(
  request: ClusterRequest,
  more: { readonly [key: string]: string } | undefined,
): { readonly [key: string]: string } {
  const image = request.controlPlaneOperatorImage;
  return {
    ...keyValues(request.annotations, 'annotations'),
    ...(image ? { [annotations.controlPlaneOperatorImage.key]: image } : {}),
    ...more,
  };
}

/** The HostedCluster a request asks for. */
export function hostedClusterOf(
  request: ClusterRequest,
  platform: PlatformSpec,
  platformAnnotations?: { readonly [key: string]: string },
): HostedClusterManifest {
  const marks = clusterAnnotations(request, platformAnnotations);
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedCluster',
    metadata: {
      name: request.name,
      namespace: request.namespace,
      ...(Object.keys(marks).length > 0 ? { annotations: marks } : {}),
      ...someKeyValues('labels', request.labels, 'labels'),
    },
    spec: {
      release: { image: request.releaseImage },
      pullSecret: { name: pullSecretName(request) },
      infraID: request.infraID,
      fips: request.fips,
      controllerAvailabilityPolicy: request.controlPlaneAvailabilityPolicy as 'SingleReplica',
      ...(request.infraAvailabilityPolicy
        ? { infrastructureAvailabilityPolicy: request.infraAvailabilityPolicy as 'SingleReplica' }
        : {}),
      olmCatalogPlacement: request.olmCatalogPlacement as 'management',
      dns: dnsOf(request, ''),
      etcd: etcd(request),
      ...networkOperator(request),
      ...capabilities(request),
      ...references(request),
      ...scheduling(request),
      ...(request.kasDnsName ? { kubeAPIServerDNSName: request.kasDnsName } : {}),
      ...(request.pausedUntil ? { pausedUntil: request.pausedUntil } : {}),
      secretEncryption: { type: 'aescbc', aescbc: { activeKey: { name: encryptionKeyName(request) } } },
      ...platform,
      networking: { ...networking(request), ...platform.networking },
      ...configuration(request, platform),
    },
  };
}
