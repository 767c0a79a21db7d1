import { hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { parseVersion } from '@hypershift-ts/hypershift-release';
import { appsv1, corev1, type KubeObject, networkingv1 } from '@hypershift-ts/kube-apimachinery';
import {
  createOrUpdate,
  deleteIfPresent,
  done,
  getIfPresent,
  type ReconcileContext,
  type Step,
  waiting,
} from '@hypershift-ts/kube-controller';
import {
  clusterApiClusters,
  crdReaderAccess,
  desiredCluster,
  desiredManager,
  desiredProvider,
  managerAccess,
  managesMachines,
  pkiOperatorAccess,
  providerAccess,
} from '../cluster-api/index.ts';
import {
  backCopies,
  backCopyOf,
  type Copy,
  copies,
  copyOf,
  referencedBy,
  signingKeySecret,
  unwantedCopies,
} from '../copied-objects/index.ts';
import { desiredHostedControlPlane } from '../hosted-control-plane/index.ts';
import { desiredNamespace } from '../namespace/index.ts';
import { desiredNetworkPolicies } from '../network-policies/index.ts';
import { ensure } from './ensure.ts';
import type { HostedClusterScope } from './scope.ts';

type ClusterStep = Step<HostedClusterScope>;

async function ensureAll(objects: readonly KubeObject[], { client, signal }: ReconcileContext): Promise<void> {
  for (const object of objects) await ensure(client, object, signal);
}

async function copyOne(scope: HostedClusterScope, copy: Copy, { client, signal }: ReconcileContext): Promise<void> {
  const { cluster } = scope;
  const key = { namespace: cluster.metadata.namespace ?? '', name: copy.name };
  const source =
    copy.kind === 'Secret'
      ? await getIfPresent(client, corev1.secrets, key, { signal })
      : await getIfPresent(client, corev1.configmaps, key, { signal });
  await ensure(client, copyOf(cluster, copy, source), signal);
  const mark = referencedBy(cluster);
  if (!source || source.metadata.annotations?.[mark] !== undefined) return;
  // From now on, edits of the source wake the cluster.
  const body = { metadata: { annotations: { [mark]: 'true' } } };
  await client.patch<KubeObject>(
    copy.kind === 'Secret' ? corev1.secrets : corev1.configmaps,
    key,
    { type: 'merge', body },
    { signal },
  );
}

async function sourceSecrets(scope: HostedClusterScope, { client, signal }: ReconcileContext) {
  const { cluster, platform } = scope;
  const found = await Promise.all(
    platform.sourceSecrets(cluster).map(async ({ name }) => {
      const key = { namespace: cluster.metadata.namespace ?? '', name };
      return [name, await getIfPresent(client, corev1.secrets, key, { signal })] as const;
    }),
  );
  return new Map(found.flatMap(([name, secret]) => (secret ? [[name, secret] as const] : [])));
}

export const namespaceStep: ClusterStep = {
  name: 'CPOImageAndNamespace',
  kind: 'critical',
  async run({ cluster, options, controlPlaneOperator }, { client, signal }) {
    const facts = {
      restrictedPodSecurity: controlPlaneOperator?.capabilities.restrictedPodSecurity ?? false,
      clusterMonitoring: options.clusterMonitoring ?? false,
    };
    await ensure(client, desiredNamespace(cluster, facts), signal);
    return done();
  },
};

export const credentialsStep: ClusterStep = {
  name: 'PlatformCredentials',
  kind: 'critical',
  async run(scope, context) {
    const secrets = await sourceSecrets(scope, context);
    const { cluster, namespace, platform } = scope;
    await ensureAll(platform.credentials({ cluster, namespace, secrets }), context);
    if (cluster.spec.secretEncryption?.type === 'kms')
      await ensureAll(platform.keyService({ cluster, namespace, secrets }), context);
    return done();
  },
};

export const criticalCopiesStep: ClusterStep = {
  name: 'PullSecretSync',
  kind: 'critical',
  async run(scope, context) {
    for (const copy of copies(scope.cluster)) if (copy.critical) await copyOne(scope, copy, context);
    return done();
  },
};

export const otherCopiesStep: ClusterStep = {
  name: 'GlobalConfigSync',
  kind: 'best-effort',
  async run(scope, context) {
    const { cluster, namespace } = scope;
    const failures: Error[] = [];
    for (const copy of copies(cluster).filter(({ critical }) => !critical))
      await copyOne(scope, copy, context).catch((error: Error) => failures.push(error));
    for (const { kind, name } of unwantedCopies(cluster))
      await deleteIfPresent(context.client, kind === 'Secret' ? corev1.secrets : corev1.configmaps, {
        namespace,
        name,
      });
    if (failures.length > 0) throw new Error(failures.map(({ message }) => message).join('; '));
    return done();
  },
};

export const signingKeyStep: ClusterStep = {
  name: 'ServiceAccountSigningKey',
  kind: 'best-effort',
  async run({ cluster }, { client, signal }) {
    const name = cluster.spec.serviceAccountSigningKey?.name;
    if (!name) return done();
    const key = { namespace: cluster.metadata.namespace ?? '', name };
    const made = signingKeySecret(cluster, await getIfPresent(client, corev1.secrets, key, { signal }));
    if (made) await ensure(client, made, signal);
    return done();
  },
};

export const coreChainStep: ClusterStep = {
  name: 'CoreHCPChain',
  kind: 'critical',
  async run(scope, { client, signal }) {
    const { cluster, namespace, nodePools, platform } = scope;
    const facts = {
      autoscaling: nodePools.some(({ spec }) => spec.autoScaling !== undefined),
      interruptible: nodePools.some(({ spec }) => spec.platform.aws?.placement?.marketType === 'Spot'),
    };
    const key = { namespace, name: cluster.metadata.name ?? '' };
    const { object: hcp } = await createOrUpdate(
      client,
      hostedControlPlanes,
      key,
      (live) => {
        const desired = desiredHostedControlPlane(cluster, facts, live);
        // What the control plane reports is its own.
        return { ...desired, ...(live?.status ? { status: live.status } : {}) } as never;
      },
      { signal },
    );
    const endpoint = hcp.status?.controlPlaneEndpoint ?? { host: '', port: 0 };
    const infrastructure = platform.infrastructure({ cluster, namespace, endpoint, nodePools });
    if (!infrastructure || !managesMachines(cluster)) return done();
    for (const object of infrastructure.before) await ensure(client, object, signal);
    await ensure(client, infrastructure.cluster, signal);
    await createOrUpdate(
      client,
      clusterApiClusters,
      { namespace, name: cluster.spec.infraID ?? '' },
      (live) => desiredCluster(cluster, infrastructure.cluster, live),
      { signal },
    );
    return done();
  },
};

export const backCopiesStep: ClusterStep = {
  name: 'KubeconfigAndPasswordSync',
  kind: 'best-effort',
  async run({ cluster, namespace, hostedControlPlane }, { client, signal }) {
    if (!hostedControlPlane) return done();
    for (const copy of backCopies(cluster, hostedControlPlane)) {
      const key = { namespace: cluster.metadata.namespace ?? '', name: copy.target };
      if (!copy.source) {
        await deleteIfPresent(client, corev1.secrets, key, { signal });
        continue;
      }
      const source = await getIfPresent(client, corev1.secrets, { namespace, name: copy.source.name }, { signal });
      if (!source) return waiting('NotFound', `Secret ${namespace}/${copy.source.name} does not exist yet`);
      await ensure(client, backCopyOf(cluster, copy, source), signal);
    }
    return done();
  },
};

export const clusterApiStep: ClusterStep = {
  name: 'OperatorDeployments',
  kind: 'best-effort',
  async run({ cluster, platform, namespace, hostedControlPlane, release, options }, context) {
    if (release instanceof Error || !managesMachines(cluster)) return done();
    const provider = platform.provider({
      cluster,
      namespace,
      hostedControlPlane,
      version: parseVersion(release.version),
      image: (component) => release.components.get(component),
      ...(options.providerImages ? { providerImages: options.providerImages } : {}),
      utilitiesImage: options.operatorImage,
    });
    if (!provider) return done();
    const account = provider.podSpec.serviceAccountName ?? 'capi-provider';
    const manager = release.components.get('cluster-capi-controllers') ?? '';
    await ensureAll(
      [...managerAccess(cluster), ...providerAccess(cluster, platform, account), ...crdReaderAccess(cluster, account)],
      context,
    );
    await ensureAll([desiredManager(cluster, manager), desiredProvider(cluster, provider)], context);
    return done();
  },
};

export const policiesStep: ClusterStep = {
  name: 'RBACAndPolicies',
  kind: 'best-effort',
  async run({ cluster, namespace, controlPlaneOperator }, context) {
    await ensureAll(pkiOperatorAccess(cluster), context);
    const { client, signal } = context;
    const facts = {
      ownRouter: false,
      labelsManagementKasAccess: controlPlaneOperator?.capabilities.appliesManagementKasNetworkPolicyLabel ?? false,
    };
    for (const [name, policy] of desiredNetworkPolicies(cluster, facts))
      if (policy) await ensure(client, policy, signal);
      else await deleteIfPresent(client, networkingv1.networkpolicies, { namespace, name }, { signal });
    return done();
  },
};

/** Everything that is done for a cluster, in order. */
export const hostedClusterSteps: readonly ClusterStep[] = [
  namespaceStep,
  credentialsStep,
  criticalCopiesStep,
  otherCopiesStep,
  signingKeyStep,
  coreChainStep,
  backCopiesStep,
  clusterApiStep,
  policiesStep,
];

/** The Deployment of the ignition server, which tells whether machines can start. */
export const ignitionServer = (namespace: string, { client, signal }: ReconcileContext) =>
  getIfPresent(client, appsv1.deployments, { namespace, name: 'ignition-server' }, { signal });
