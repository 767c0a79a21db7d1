import { type HostedCluster, type HostedClusterFacts, validProxyConfiguration } from '@hypershift-ts/hypershift-api';
import { PullSecret } from '@hypershift-ts/hypershift-release';
import { corev1, type FieldError, fieldError } from '@hypershift-ts/kube-apimachinery';
import type { ReconcileContext } from '@hypershift-ts/kube-controller';
import { safeReferencesOf, clustersWithInfraID } from './indexes.ts';
import type { HostedClusterScope } from './scope.ts';

/** What stands around a cluster, as far as its validation asks. */
export interface Surroundings extends HostedClusterFacts {
  /** What is wrong with the CA bundle of the proxy. */
  readonly proxyProblem: string | undefined;
  /** Problems that only show among the objects of the management cluster. */
  readonly errors: readonly FieldError[];
}

type Data = { readonly [key: string]: string };

const decoded = (data: Data | undefined): Data =>
  Object.fromEntries(
    Object.entries(data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]),
  );

/** The older of two clusters keeps what both claim; names decide between twins. */
function isOlder(one: HostedCluster, other: HostedCluster): boolean {
  const age = ({ metadata }: HostedCluster) =>
    `${metadata.creationTimestamp ?? ''} ${metadata.namespace}/${metadata.name}`;
  return age(one) < age(other);
}

function infraIDErrors(cluster: HostedCluster, { cache }: ReconcileContext): readonly FieldError[] {
  const { infraID } = cluster.spec;
  if (!infraID) return [];
  const rival = clustersWithInfraID(infraID, cache).find(
    (other) => other.metadata.uid !== cluster.metadata.uid && isOlder(other, cluster),
  );
  if (!rival) return [];
  const text = `is used by HostedCluster ${rival.metadata.namespace}/${rival.metadata.name} already; create this cluster again with another infraID, or without one to have it generated`;
  return [fieldError.invalid('spec.infraID', infraID, text)];
}

function pullSecretErrors({ spec }: HostedCluster, secrets: ReadonlyMap<string, Data>): readonly FieldError[] {
  const name = spec.pullSecret?.name ?? '';
  const content = secrets.get(name)?.['.dockerconfigjson'];
  if (content === undefined) return [];
  try {
    PullSecret.parse(content);
    return [];
  } catch (error) {
    const { message, fix } = error as Error & { readonly fix?: string };
    return [fieldError.invalid('spec.pullSecret', name, fix ? `${message}; ${fix}` : message)];
  }
}

/** Looks up what a cluster names, all of it from memory. */
export function surroundings(
  { cluster, release, options }: HostedClusterScope,
  context: ReconcileContext,
  now: Date,
): Surroundings {
  const { cache } = context;
  const secrets = new Map<string, Data>();
  const configMaps = new Map<string, Data>();
  for (const reference of safeReferencesOf(cluster)) {
    const [kind, namespace = '', name = ''] = reference.split('/');
    if (kind === 'Secret') {
      const secret = cache.get(corev1.secrets, { namespace, name });
      if (secret) secrets.set(name, decoded(secret.data));
    } else {
      const found = cache.get(corev1.configmaps, { namespace, name });
      if (found) configMaps.set(name, found.data ?? {});
    }
  }
  const bundle = configMaps.get(cluster.spec.configuration?.proxy?.trustedCA?.name ?? '')?.['ca-bundle.crt'];
  const proxy = validProxyConfiguration(bundle, now);
  return {
    hasRoutes: options.capabilities.hasRoutes,
    secrets,
    configMaps,
    ...(release instanceof Error ? {} : { releaseVersion: release.version }),
    proxyProblem: proxy.status === 'False' ? proxy.message : undefined,
    errors: [...infraIDErrors(cluster, context), ...pullSecretErrors(cluster, secrets)],
  };
}
