/** The HostedControlPlane a HostedCluster asks for. */
import type { HostedCluster, HostedControlPlane, HostedControlPlaneManifest } from '@hypershift-ts/hypershift-api';
import { annotations } from '@hypershift-ts/hypershift-api';
import { platformFor } from '@hypershift-ts/hypershift-platforms';
import { controlPlaneNamespaceOf } from '../names/index.ts';
import { controlPlaneAnnotations, controlPlaneLabels, type MirrorFacts } from './mirrored.ts';

export type { MirrorFacts } from './mirrored.ts';

type Spec = HostedCluster['spec'];

/** Fields that mean the same in both, taken over as they are; absent ones disappear. */
const copiedFields = [
  'updateService',
  'channel',
  'fips',
  'issuerURL',
  'serviceAccountSigningKey',
  'networking',
  'clusterID',
  'services',
  'controllerAvailabilityPolicy',
  'infrastructureAvailabilityPolicy',
  'imageContentSources',
  'secretEncryption',
  'kubeAPIServerDNSName',
  'pausedUntil',
  'olmCatalogPlacement',
  'autoscaling',
  'autoNode',
  'nodeSelector',
  'tolerations',
  'labels',
  'configuration',
  'capabilities',
  'operatorConfiguration',
] as const satisfies readonly (keyof Spec)[];

/** Only the member that belongs to the management type. */
function etcdOf({ managementType, managed, unmanaged }: Spec['etcd']): Spec['etcd'] {
  if (managementType === 'Managed') return { managementType, ...(managed ? { managed } : {}) };
  return { managementType, ...(unmanaged ? { unmanaged } : {}) };
}

function monitoringOf({ metadata, spec }: HostedCluster): Pick<Spec, 'monitoring'> {
  const isAsked = metadata.annotations?.[annotations.enableMetricsForwarding.key] !== undefined;
  if (!isAsked || spec.monitoring?.metricsForwarding?.mode)
    return spec.monitoring ? { monitoring: spec.monitoring } : {};
  return { monitoring: { ...spec.monitoring, metricsForwarding: { mode: 'Forward' } } };
}

/** The object to write; `live` is the one that exists, whose foreign labels and annotations are kept. */
export function desiredHostedControlPlane(
  cluster: HostedCluster,
  facts: MirrorFacts,
  live?: HostedControlPlane,
): HostedControlPlaneManifest {
  const { spec } = cluster;
  const { controlPlaneType } = platformFor(spec.platform.type).traits;
  const same = Object.fromEntries(
    copiedFields.flatMap((field) => (spec[field] === undefined ? [] : [[field, spec[field]]])),
  ) as Pick<Spec, (typeof copiedFields)[number]>;
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedControlPlane',
    metadata: {
      ...live?.metadata,
      name: cluster.metadata.name ?? '',
      namespace: controlPlaneNamespaceOf(cluster),
      labels: controlPlaneLabels(cluster, live?.metadata.labels ?? {}),
      annotations: controlPlaneAnnotations(cluster, live?.metadata.annotations ?? {}, facts),
    },
    spec: {
      ...same,
      ...monitoringOf(cluster),
      releaseImage: spec.release.image,
      ...(spec.controlPlaneRelease ? { controlPlaneReleaseImage: spec.controlPlaneRelease.image } : {}),
      pullSecret: { name: 'pull-secret' },
      sshKey: { name: spec.sshKey?.name ? 'ssh-key' : '' },
      ...(spec.auditWebhook?.name ? { auditWebhook: spec.auditWebhook } : {}),
      ...(spec.additionalTrustBundle ? { additionalTrustBundle: { name: 'user-ca-bundle' } } : {}),
      infraID: spec.infraID ?? '',
      issuerURL: spec.issuerURL ?? '',
      dns: spec.dns ?? { baseDomain: '' },
      etcd: etcdOf(spec.etcd),
      platform: { ...spec.platform, type: controlPlaneType },
    },
  };
}
