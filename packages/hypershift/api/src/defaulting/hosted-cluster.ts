/** What admission fills in for a HostedCluster beyond the defaults of the CRD. */
import { randomNameSuffix } from '@hypershift-ts/kube-apimachinery';
import type { HostedCluster } from '../hosted-cluster/index.ts';
import type { DefaultSources } from './sources.ts';

type Spec = HostedCluster['spec'];
type Publishing = Spec['services'][number];

const kubeVirtServices: readonly Publishing[] = [
  { service: 'APIServer', servicePublishingStrategy: { type: 'LoadBalancer' } },
  { service: 'Ignition', servicePublishingStrategy: { type: 'Route' } },
  { service: 'Konnectivity', servicePublishingStrategy: { type: 'Route' } },
  { service: 'OAuthServer', servicePublishingStrategy: { type: 'Route' } },
];

function kubeVirtDefaults(spec: Spec, { random }: DefaultSources): Spec {
  const { kubevirt } = spec.platform;
  const present = new Set((spec.services ?? []).map(({ service }) => service));
  const passthrough = kubevirt?.baseDomainPassthrough ?? (spec.dns?.baseDomain ? undefined : true);
  return {
    ...spec,
    platform: {
      ...spec.platform,
      kubevirt: {
        ...kubevirt,
        generateID: kubevirt?.generateID || randomNameSuffix(10, random),
        ...(passthrough === undefined ? {} : { baseDomainPassthrough: passthrough }),
      },
    },
    networking: { ...spec.networking, networkType: spec.networking?.networkType ?? 'OVNKubernetes' },
    services: [...(spec.services ?? []), ...kubeVirtServices.filter(({ service }) => !present.has(service))],
  };
}

/** The object as admission would store it. What is set already stays. */
export function defaultHostedCluster(cluster: HostedCluster, sources: DefaultSources): HostedCluster {
  if (!cluster.spec) return cluster;
  const image = cluster.spec.release?.image || sources.releaseImage;
  const spec: Spec = {
    ...cluster.spec,
    ...(image ? { release: { ...cluster.spec.release, image } } : {}),
    networking: {
      ...cluster.spec.networking,
      allocateNodeCIDRs: cluster.spec.networking?.allocateNodeCIDRs ?? 'Disabled',
    },
  };
  return { ...cluster, spec: spec.platform?.type === 'KubeVirt' ? kubeVirtDefaults(spec, sources) : spec };
}
