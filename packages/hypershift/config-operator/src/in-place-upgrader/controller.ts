import { annotations } from '@hypershift-ts/hypershift-api';
import { tokenKey, tokenSecretName } from '@hypershift-ts/hypershift-ignition';
import { platformFor } from '@hypershift-ts/hypershift-platforms';
import { componentImage } from '@hypershift-ts/hypershift-release';
import { corev1, jsonEqual, type ObjectKey } from '@hypershift-ts/kube-apimachinery';
import {
  type Controller,
  controller,
  type ReconcileContext,
  type ReconcileResult,
} from '@hypershift-ts/kube-controller';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { controlPlaneOf } from '../control-plane.ts';
import { GuestWriter } from '../guest/apply.ts';
import { daemonAnnotations } from '../machines/daemon-protocol.ts';
import { machineKeyOf, nodePoolNameOf } from '../machines/of-node.ts';
import type { GuestScope } from '../options.ts';
import { effectiveProxy } from '../resources/proxy.ts';
import { ensureDaemons, removeDaemons } from './daemons.ts';
import { upgradeObjects } from './objects.ts';
import { type UpgradePlan, upgradePlan } from './plan.ts';

const { nodePoolCurrentConfigVersion, nodePoolTargetConfigVersion, nodePoolMaxUnavailable } = annotations;
const inProgress = annotations.nodePoolUpgradeInProgressTrue.key;
const stopped = annotations.nodePoolUpgradeInProgressFalse.key;
const payloadRetryMs = 5000;
const recheckMs = 30_000;

/** Moves machines of in-place pools to a new configuration, as many at a time as the pool allows. */
export function inPlaceUpgraderController(scope: GuestScope): Controller {
  const { guest, management, options } = scope;
  const { namespace } = options;
  return controller<capiv1beta1.MachineSet, [corev1.Node, capiv1beta1.Machine]>({
    name: 'inplaceupgrader',
    for: {
      type: capiv1beta1.machinesets,
      namespace,
      predicate: {
        updated: (a, b) => !jsonEqual(a.metadata.annotations, b.metadata.annotations),
        deleted: () => false,
      },
    },
    watches: [
      {
        type: corev1.nodes,
        cache: guest,
        predicate: { updated: (a, b) => !jsonEqual(a.metadata.annotations, b.metadata.annotations) },
        map: (node) => setsOf(scope, machineKeyOf(node)),
      },
      {
        type: capiv1beta1.machines,
        namespace,
        cache: management,
        predicate: { updated: (a, b) => a.status?.nodeRef?.name !== b.status?.nodeRef?.name },
        map: ({ metadata }) => setsOf(scope, { namespace, name: metadata.name ?? '' }),
      },
    ],
    async reconcile(key, context) {
      const set = management.get(capiv1beta1.machinesets, key, { namespace });
      const target = set?.metadata.annotations?.[nodePoolTargetConfigVersion.key];
      const current = set?.metadata.annotations?.[nodePoolCurrentConfigVersion.key] ?? '';
      if (!set || set.metadata.deletionTimestamp || !target || target === current) return undefined;
      return new Upgrade(scope, set, target, current, context).advance();
    },
  });
}

/** The MachineSet a machine belongs to. */
function setsOf({ management, options }: GuestScope, key: ObjectKey | undefined): readonly ObjectKey[] {
  const { namespace } = options;
  const machine = key && management.get(capiv1beta1.machines, key, { namespace });
  const owner = machine?.metadata.ownerReferences?.find(({ kind }) => kind === 'MachineSet');
  return owner ? [{ namespace, name: owner.name }] : [];
}

/** One look at one MachineSet on its way to a target. */
class Upgrade {
  private readonly scope: GuestScope;
  private readonly set: capiv1beta1.MachineSet;
  private readonly target: string;
  private readonly current: string;
  private readonly context: ReconcileContext;
  private readonly machines: readonly capiv1beta1.Machine[];
  private readonly pool: string;

  constructor(
    scope: GuestScope,
    set: capiv1beta1.MachineSet,
    target: string,
    current: string,
    context: ReconcileContext,
  ) {
    this.scope = scope;
    this.set = set;
    this.target = target;
    this.current = current;
    this.context = context;
    const { namespace } = scope.options;
    const uid = set.metadata.uid ?? '';
    this.machines = scope.management.informer(capiv1beta1.machines, { namespace }).ownedBy(uid);
    this.pool = nodePoolNameOf(set) ?? set.metadata.name ?? '';
  }

  async advance(): Promise<ReconcileResult> {
    const { hostedClient, namespace } = this.scope.options;
    const { signal } = this.context;
    const nodes = this.machines
      .map(({ status }) => this.scope.guest.get(corev1.nodes, { name: status?.nodeRef?.name ?? '' }))
      .filter((node) => node !== undefined);
    const name = tokenSecretName(this.set.metadata.name ?? '', this.target);
    const token = this.scope.management.get(corev1.secrets, { namespace, name }, { namespace });
    const payload = token?.data?.[tokenKey.payload];
    if (!payload) return { requeueAfterMs: payloadRetryMs };
    const version = Buffer.from(token.data?.[tokenKey.releaseVersion] ?? '', 'base64').toString('utf8');
    if (version === '')
      throw new Error(
        `Secret ${namespace}/${name} says no ${tokenKey.releaseVersion}; the NodePool controller writes it`,
      );
    const plan = upgradePlan({ nodes, target: this.target, current: this.current, maxUnavailable: this.limit() });
    await this.recordVersion(plan, version);
    if (plan.finished) {
      await removeDaemons(hostedClient, this.pool, nodes, signal);
      await this.annotate({ [nodePoolCurrentConfigVersion.key]: this.target, [inProgress]: null, [stopped]: null });
      return undefined;
    }
    if (plan.degraded) {
      const message = `Node ${plan.degraded.node} in nodepool degraded: ${plan.degraded.reason}`;
      await this.annotate({ [stopped]: message, [inProgress]: null });
      throw new Error(message);
    }
    await this.annotate({ [inProgress]: plan.progress, [stopped]: null });
    await this.upgrade(plan, Buffer.from(payload, 'base64'));
    const idle = nodes.filter((node) => !plan.busy.includes(node));
    await removeDaemons(hostedClient, this.pool, idle, signal);
    return { requeueAfterMs: recheckMs };
  }

  private limit(): number {
    const value = Number(this.set.metadata.annotations?.[nodePoolMaxUnavailable.key] ?? '1');
    return Number.isInteger(value) && value > 0 ? value : 1;
  }

  private async upgrade(plan: UpgradePlan, payload: Uint8Array): Promise<void> {
    const { hostedClient, releases, namespace } = this.scope.options;
    const { signal } = this.context;
    const hcp = controlPlaneOf(this.scope);
    if (!hcp) return;
    const pullSecret = this.scope.management.get(corev1.secrets, { namespace, name: 'pull-secret' }, { namespace });
    const release = await releases.lookup(hcp.spec.releaseImage, {
      pullSecret: Buffer.from(pullSecret?.data?.['.dockerconfigjson'] ?? '', 'base64'),
      signal,
    });
    const writer = new GuestWriter(hostedClient, this.scope.guest, signal);
    for (const object of upgradeObjects(this.pool, this.target, payload)) await writer.apply(object);
    for (const node of plan.start) {
      const body = { metadata: { annotations: { [daemonAnnotations.desiredConfig]: this.target } } };
      const name = node.metadata.name ?? '';
      await hostedClient.patch(corev1.nodes, { name }, { type: 'merge', body }, { signal });
    }
    const image = componentImage(release, 'machine-config-operator');
    const proxy = effectiveProxy(hcp, platformFor(hcp.spec.platform.type));
    await ensureDaemons(hostedClient, this.pool, plan.busy, { image, proxy }, signal);
  }

  /** Machines say which release they run as soon as their node is done. */
  private async recordVersion({ upgraded }: UpgradePlan, version: string): Promise<void> {
    const done = new Set(upgraded.map(({ metadata }) => metadata.name));
    const key = annotations.releaseVersion.key;
    for (const { metadata, status } of this.machines) {
      if (!done.has(status?.nodeRef?.name ?? '') || metadata.annotations?.[key] === version) continue;
      const at = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
      const body = { metadata: { annotations: { [key]: version } } };
      await this.context.client.patch(
        capiv1beta1.machines,
        at,
        { type: 'merge', body },
        { signal: this.context.signal },
      );
    }
  }

  private async annotate(wanted: { readonly [key: string]: string | null }): Promise<void> {
    const { annotations: live = {}, namespace = '', name = '' } = this.set.metadata;
    const changed = Object.entries(wanted).filter(([key, value]) => (live[key] ?? null) !== value);
    if (changed.length === 0) return;
    const body = { metadata: { annotations: Object.fromEntries(changed) } };
    const { client, signal } = this.context;
    await client.patch(capiv1beta1.machinesets, { namespace, name }, { type: 'merge', body }, { signal });
  }
}
