import type { HostedCluster, HostedControlPlane } from '@hypershift-ts/hypershift-api';
import { initialClusterVersion } from '@hypershift-ts/hypershift-release';
import { formatTime } from '@hypershift-ts/kube-apimachinery';

type Status = NonNullable<HostedCluster['status']>;

/** `status.version`: what the hosted cluster reports, else what was known, else that an installation began. */
export function clusterVersionStatus(
  cluster: HostedCluster,
  hcp: HostedControlPlane | undefined,
  now: Date,
): NonNullable<Status['version']> {
  const known = hcp?.status?.versionStatus ?? cluster.status?.version;
  if (known) return known;
  const { image } = cluster.spec.release;
  const { history, ...rest } = initialClusterVersion(
    image,
    formatTime(now.getTime()),
    cluster.metadata.generation ?? 0,
  );
  return { ...rest, history: [...history] };
}

/** Names of Secrets beside the cluster that exist already. */
export interface AccessFacts {
  readonly kubeconfig: boolean;
  readonly customKubeconfig: boolean;
  readonly kubeadminPassword: boolean;
}

const isRoute = ({ spec }: HostedCluster): boolean =>
  spec.services.some(({ service, servicePublishingStrategy: { type } }) => service === 'APIServer' && type === 'Route');

/**
 * Status fields that are not conditions. `null` removes a field. What the control plane reports is taken over while
 * it exists; before that, and after, the last word stays.
 */
export function copiedStatus(cluster: HostedCluster, hcp: HostedControlPlane | undefined, access: AccessFacts): object {
  const name = cluster.metadata.name ?? '';
  const explicitOAuth = cluster.spec.configuration?.oauth !== undefined;
  const secret = (exists: boolean, suffix: string) => (exists ? { name: `${name}-${suffix}` } : undefined);
  const endpoint = hcp?.status?.controlPlaneEndpoint;
  const fromControlPlane = hcp
    ? {
        controlPlaneVersion: hcp.status?.controlPlaneVersion,
        // Control planes of older releases report the port of their pods behind a Route.
        controlPlaneEndpoint: endpoint && isRoute(cluster) ? { ...endpoint, port: 443 } : endpoint,
        oauthCallbackURLTemplate: hcp.status?.oauthCallbackURLTemplate,
        platform: hcp.status?.platform,
        autoNode: hcp.status?.autoNode,
        secretEncryption: hcp.status?.secretEncryption,
        configuration: hcp.status?.configuration,
      }
    : {};
  return {
    kubeconfig: secret(access.kubeconfig, 'admin-kubeconfig'),
    customKubeconfig: cluster.spec.kubeAPIServerDNSName
      ? secret(access.customKubeconfig, 'custom-admin-kubeconfig')
      : null,
    kubeadminPassword: explicitOAuth ? null : secret(access.kubeadminPassword, 'kubeadmin-password'),
    ...fromControlPlane,
  };
}
