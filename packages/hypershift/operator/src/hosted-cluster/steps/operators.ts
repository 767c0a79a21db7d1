import { annotations, finalizers, type HostedControlPlane, hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import {
  cachedLookup,
  type Component,
  type ComponentOutcome,
  type ControlPlaneContext,
  isMonitored,
  SettledComponents,
  withWritten,
} from '@hypershift-ts/hypershift-control-plane';
import {
  ComponentImages,
  operatorFamilyImages,
  parseImageOverrides,
  type ReleaseImage,
  withComponents,
} from '@hypershift-ts/hypershift-release';
import { appsv1, corev1, formatTime, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import { done, getIfPresent, type ReconcileContext, waiting } from '@hypershift-ts/kube-controller';
import { clusterApiDeployments, crdReaderBinding, crdReaderRole, managesMachines } from '../../cluster-api/index.ts';
import { isWebhookSecretDue, operatorsOf, webhookSecret, webhookSecretName } from '../../operator-deployments/index.ts';
import { ensureAll, find } from '../live.ts';
import type { HostedClusterOptions, HostedClusterScope } from '../scope.ts';
import type { ClusterStep } from './step.ts';

/** The release with the images of the operator family and those the user replaced. */
function operatorRelease({ cluster, controlPlaneOperator }: HostedClusterScope, release: ReleaseImage) {
  const image = controlPlaneOperator instanceof Error ? undefined : controlPlaneOperator?.image;
  const overrides = cluster.metadata.annotations?.[annotations.imageOverrides.key];
  return withComponents(release, {
    ...operatorFamilyImages(image ?? ''),
    ...(overrides ? parseImageOverrides(overrides) : {}),
  });
}

/** Asked for on the cluster and told to the operators' pods; the control plane itself never sees them. */
const onlyForOperators = [
  annotations.imageOverrides.key,
  annotations.capiManagerImage.key,
  annotations.certificateValidity.key,
  annotations.certificateRenewal.key,
];

/** What the components may look at; their informers are the controller's own. */
function componentContext(
  { cluster, namespace, options }: HostedClusterScope,
  release: ReleaseImage,
  hcp: HostedControlPlane,
  written: readonly KubeObject[],
  { cache }: ReconcileContext,
): ControlPlaneContext {
  const management = options.capabilities.cluster;
  const live = cache.get(corev1.namespaces, { name: namespace });
  const uid = options.uids?.of(namespace, live, () => cache.list(corev1.namespaces));
  const asked = onlyForOperators.flatMap((key) => {
    const value = cluster.metadata.annotations?.[key];
    return value === undefined ? [] : [[key, value] as const];
  });
  return {
    hcp: {
      ...hcp,
      metadata: { ...hcp.metadata, annotations: { ...hcp.metadata.annotations, ...Object.fromEntries(asked) } },
    },
    namespace,
    images: new ComponentImages(release),
    userRelease: release,
    endpoints: {},
    management,
    settings: { ...options.settings, ...(uid === undefined ? {} : { defaultSecurityContextUid: uid }) },
    lookup: withWritten(
      cachedLookup(cache, namespace, (type) => management.serves(type)),
      written,
    ),
  };
}

/** The certificate both managers mount; what was made just now is not in memory yet. */
async function ensureWebhookSecret(
  { cluster, namespace }: HostedClusterScope,
  context: ReconcileContext,
): Promise<readonly KubeObject[]> {
  const key = { namespace, name: webhookSecretName };
  const now = context.clock.now();
  const isFresh = (live: corev1.Secret | undefined) => live !== undefined && !isWebhookSecretDue(live, now);
  if (isFresh(await find(context, corev1.secrets, key))) return [];
  const known = await getIfPresent(context.client, corev1.secrets, key, { signal: context.signal });
  if (known && isFresh(known)) return [known];
  const secret = await webhookSecret(cluster, now);
  if (known) {
    const metadata = { ...secret.metadata, resourceVersion: known.metadata.resourceVersion ?? '' };
    return [await context.client.update(corev1.secrets, { ...secret, metadata }, { signal: context.signal })];
  }
  return [await context.client.create(corev1.secrets, secret, { signal: context.signal })];
}

/** Cluster API must outlive the machines: nobody else would take them down. */
async function holdClusterApi({ cluster, namespace }: HostedClusterScope, context: ReconcileContext): Promise<void> {
  if (!managesMachines(cluster)) return;
  const finalizer = finalizers.component.key;
  for (const name of clusterApiDeployments) {
    const live = await find(context, appsv1.deployments, { namespace, name });
    const held = live?.metadata.finalizers ?? [];
    if (!live || live.metadata.deletionTimestamp || held.includes(finalizer)) continue;
    const body = { metadata: { finalizers: [...held, finalizer], resourceVersion: live.metadata.resourceVersion } };
    await context.client.patch(appsv1.deployments, { namespace, name }, { type: 'merge', body });
  }
}

/** Something that is not there yet is waited for; only what cannot work is a failure. */
function judge(outcomes: readonly ComponentOutcome[]) {
  const failed = outcomes.filter(({ state, error }) => state === 'failed' && !isHeldBack(error));
  if (failed.length > 0) throw new Error(failed.map(({ name, error }) => `${name}: ${error?.message}`).join('; '));
  const held = outcomes.find(({ state }) => state === 'failed');
  if (held) return waiting('WaitingForInputs', held.error?.message ?? '');
  return outcomes.some(({ state }) => state === 'stale') ? done({ requeueAfterMs: 100 }) : done();
}

const isHeldBack = (error: Error | undefined): boolean => error?.message.includes(' is held back until ') ?? false;

/** The operators beside the control plane, with the same reports as the control plane's own components. */
export const operatorsStep: ClusterStep = {
  name: 'OperatorDeployments',
  kind: 'best-effort',
  async run(scope, context) {
    const { cluster, namespace, platform, release: found, options } = scope;
    if (found instanceof Error) return done();
    // Asked for, not taken from memory: it was written a moment ago, and the operators must see its release.
    const key = { namespace, name: cluster.metadata.name ?? '' };
    const hostedControlPlane = await context.client.get(hostedControlPlanes, key, { signal: context.signal });
    const release = operatorRelease(scope, found);
    const { components, providerAccount } = operatorsOf({
      cluster,
      hostedControlPlane,
      platform,
      release,
      utilitiesImage: release.components.get('token-minter') ?? options.operatorImage,
      providerImages: options.providerImages,
    });
    const machines = managesMachines(cluster);
    const written = machines ? await ensureWebhookSecret(scope, context) : [];
    if (machines) await ensureAll(context, [crdReaderRole(), crdReaderBinding(cluster, providerAccount)]);
    const control = componentContext(scope, release, hostedControlPlane, written, context);
    const outcomes = await reconcileOperators(scope, components, control, context);
    await holdClusterApi(scope, context);
    return judge(outcomes);
  },
};

/** What was done for the operators of each cluster, by its uid: most looks at a cluster find nothing to do for them. */
const memories = new WeakMap<HostedClusterOptions, Map<string, SettledComponents>>();

function memoryOf({ cluster, options }: HostedClusterScope): SettledComponents {
  const { uid = '' } = cluster.metadata;
  const known = memories.get(options) ?? new Map<string, SettledComponents>();
  memories.set(options, known);
  const memory = known.get(uid) ?? new SettledComponents();
  known.set(uid, memory);
  return memory;
}

/** The cluster is gone. */
export function forgetOperators({ cluster, options }: HostedClusterScope): void {
  memories.get(options)?.delete(cluster.metadata.uid ?? '');
}

/** Everything the operators are made from besides what they look up. */
function inputsOf({ cluster, controlPlaneOperator }: HostedClusterScope, control: ControlPlaneContext): string {
  const { hcp, userRelease, settings } = control;
  const { uid, generation, labels, annotations: notes } = hcp.metadata;
  const image = controlPlaneOperator instanceof Error ? undefined : controlPlaneOperator?.image;
  return JSON.stringify([
    [cluster.metadata.annotations, cluster.metadata.labels, cluster.spec],
    [uid, generation, labels, notes, hcp.spec, { ...hcp.status, conditions: isMonitored(control) }],
    [userRelease.pinnedImage, image, settings.defaultSecurityContextUid],
  ]);
}

async function reconcileOperators(
  scope: HostedClusterScope,
  components: readonly Component[],
  control: ControlPlaneContext,
  { client, clock }: ReconcileContext,
): Promise<readonly ComponentOutcome[]> {
  const memory = memoryOf(scope);
  const now = clock.now();
  const writer = { client, now: () => formatTime(now) };
  const given = { inputs: inputsOf(scope, control), lookup: control.lookup, now };
  return Promise.all(
    components.map(
      async (component) => memory.recall(component, given) ?? memory.reconcile(component, control, writer, given),
    ),
  );
}
