import type { Clock, corev1, Random } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core, errorMessage, formatTime, keyOf, policyv1, storagev1 } from '@hypershift-ts/kube-apimachinery';
import { type Client, InformerCache, type InformerCacheOptions } from '@hypershift-ts/kube-client';
import type { EventRecorder, Logger } from '@hypershift-ts/kube-controller';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import type { AutoscalerFlags } from './flags.ts';
import { BackOffs } from './back-off.ts';
import { whyUnhealthy } from './cluster-health.ts';
import { whyHelpless } from './helpless.ts';
import { type CapacityReader, capacityReader } from './infrastructure-capacity.ts';
import { deleteMachine, type Memberships, memberships } from './membership.ts';
import type { NodeGroup } from './node-group.ts';
import { pendingPods } from './pending-pods.ts';
import { readPriorities } from './priorities.ts';
import { coolDownUntil, noActivity, nodesToRemove, UnneededSince } from './removal.ts';
import { type Candidate, isReady, unneededNodes } from './scale-down.ts';
import { type GroupState, planScaleUp } from './scale-up.ts';
import { likenessOf, type Lookups, Simulation } from './simulation.ts';
import { isDaemon, type TemplateNode, templateFromCapacity, templateFromNode } from './template-node.ts';

type Node = corev1.Node;
type Pod = corev1.Pod;

export interface AutoscalerEnvironment {
  readonly managementClient: Client;
  readonly hostedClient: Client;
  readonly namespace: string;
  readonly flags: AutoscalerFlags;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Told of pods; writes to the hosted cluster. */
  readonly events: EventRecorder;
}

const deletionTaint = 'ToBeDeletedByClusterAutoscaler';

/** Looks at one hosted cluster and resizes its node groups. Holds what must be remembered between two looks. */
export class Autoscaler {
  private readonly env: AutoscalerEnvironment;
  private readonly management: InformerCache;
  private readonly hosted: InformerCache;
  private readonly capacityOf: CapacityReader;
  private readonly unneeded = new UnneededSince();
  private readonly activity = noActivity();
  private readonly backOffs = new BackOffs();
  private helpless: ReadonlySet<string | undefined> = new Set();
  private kept: ReadonlyMap<string, string> = new Map();
  private unhealthy: string | undefined;

  constructor(env: AutoscalerEnvironment, management: InformerCache, hosted: InformerCache) {
    this.env = env;
    this.management = management;
    this.hosted = hosted;
    this.capacityOf = capacityReader(env.managementClient, env.namespace);
  }

  /** One look. Answers in how many milliseconds the next one is due although nothing may have happened. */
  async scan(groups: readonly NodeGroup[]): Promise<number | undefined> {
    const { flags, clock, namespace } = this.env;
    const scope = { namespace };
    const nodes = this.hosted.list(core.nodes);
    const pods = this.hosted.list(core.pods);
    const machines = this.management.list(capi.machines, namespace, scope);
    const sets = this.management.list(capi.machinesets, namespace, scope);
    const known = memberships({ groups, machines, sets, nodes, flags, nowMs: clock.now() });
    this.backOffs.update(known.late, clock.now());
    if (await this.removeLate(groups, known)) return flags.scanIntervalMs;
    if (this.isUnhealthy(nodes)) return undefined;
    if (await this.scaleUp(groups, known, nodes, pods)) return flags.scanIntervalMs;
    const next = flags.scaleDownEnabled ? await this.scaleDown(known, nodes, pods) : undefined;
    // Nothing happens when a machine becomes late, or when a group may grow again for pods that wait.
    const nowMs = clock.now();
    const soonest = Math.min(
      next ?? Number.POSITIVE_INFINITY,
      this.backOffs.endsIn(nowMs) ?? Number.POSITIVE_INFINITY,
      known.nextLateMs - nowMs,
    );
    return Number.isFinite(soonest) ? soonest : undefined;
  }

  /** Nodes that become ready wake us; until then nothing is decided. */
  private isUnhealthy(nodes: readonly Node[]): boolean {
    const { flags, clock, log } = this.env;
    const why = whyUnhealthy(nodes, flags, clock.now());
    if (why && why !== this.unhealthy) log.warn({}, why);
    this.unhealthy = why;
    return why !== undefined;
  }

  /** A machine that has not become a node in time is given back, as far as the smallest size allows. */
  private async removeLate(groups: readonly NodeGroup[], { late }: Memberships): Promise<boolean> {
    let removed = false;
    for (const group of groups) {
      const machines = (late.get(group.id) ?? []).slice(0, Math.max(group.target - group.min, 0));
      if (machines.length === 0) continue;
      await Promise.all(machines.map((machine) => this.nameForDeletion(machine)));
      removed = (await this.resize(group, group.target - machines.length)) || removed;
    }
    return removed;
  }

  private async nameForDeletion({ metadata }: capi.Machine): Promise<void> {
    const { managementClient, namespace, clock } = this.env;
    const body = { metadata: { annotations: { [deleteMachine]: formatTime(clock.now()) } } };
    await managementClient.patch(capi.machines, { namespace, name: metadata.name ?? '' }, { type: 'merge', body });
  }

  private async scaleUp(
    groups: readonly NodeGroup[],
    known: Memberships,
    nodes: readonly Node[],
    pods: readonly Pod[],
  ): Promise<boolean> {
    const { flags, clock, events, random, hostedClient } = this.env;
    const pending = pendingPods(pods, flags, clock.now());
    if (pending.length === 0) return false;
    const states = await Promise.all(groups.map((group) => this.stateOf(group, known, pods)));
    const priorities = flags.expanders.includes('priority') ? await readPriorities(hostedClient) : undefined;
    const simulation = new Simulation(nodes.filter(isReady), pods, this.lookups());
    const inputs = { pending, groups: states, nodeCount: nodes.length, flags, priorities, random };
    const { sizes, helpless } = planScaleUp(simulation, inputs);
    const why = (pod: Pod) => whyHelpless(simulation, pod, { groups: states, sizes, nodeCount: nodes.length, flags });
    this.tellHelpless(helpless, why);
    let scaled = false;
    for (const group of groups) {
      const size = sizes.get(group.id);
      if (size !== undefined && size > group.target) scaled = (await this.resize(group, size)) || scaled;
    }
    if (!scaled) return false;
    this.activity.lastAddMs = clock.now();
    const without = new Set(helpless);
    const grown = groups.filter(({ id, target }) => (sizes.get(id) ?? target) > target);
    const message = `pod triggered scale-up: ${grown.map(({ id, target }) => `${id} ${target}->${sizes.get(id)}`).join(', ')}`;
    for (const pod of pending) if (!without.has(pod)) events.normal(pod, 'TriggeredScaleUp', message);
    return true;
  }

  /** Once for each pod: nothing about it changes from look to look. */
  private tellHelpless(pods: readonly Pod[], why: (pod: Pod) => string): void {
    const known = this.helpless;
    this.helpless = new Set(pods.map(({ metadata }) => metadata.uid));
    const causes = new Map<string, string>();
    for (const pod of pods) {
      if (known.has(pod.metadata.uid)) continue;
      const likeness = likenessOf(pod);
      const cause = causes.get(likeness) ?? why(pod);
      if (!causes.has(likeness))
        this.env.log.info({ pod: keyOf(pod) }, `pods like this one cannot be helped: ${cause}`);
      causes.set(likeness, cause);
      this.env.events.normal(pod, 'NotTriggerScaleUp', `pod didn't trigger scale-up: ${cause}`);
    }
  }

  private async stateOf(group: NodeGroup, known: Memberships, pods: readonly Pod[]): Promise<GroupState> {
    const { upcoming } = known;
    return {
      group,
      template: await this.templateOf(group, known, pods),
      upcoming: upcoming.get(group.id) ?? 0,
      backedOff: this.backOffs.isBackedOff(group.id, this.env.clock.now()),
    };
  }

  private async templateOf(
    group: NodeGroup,
    { members }: Memberships,
    pods: readonly Pod[],
  ): Promise<TemplateNode | undefined> {
    const member = members.find((one) => one.group.id === group.id && isReady(one.node));
    if (member) {
      const { name } = member.node.metadata;
      return templateFromNode(
        group,
        member.node,
        pods.filter(({ spec }) => spec.nodeName === name),
      );
    }
    // Without a node to look at, every daemon is expected: rather a node too many than pods without room.
    const daemons = new Map(pods.filter(isDaemon).map((pod) => [pod.metadata.ownerReferences?.[0]?.uid ?? '', pod]));
    return templateFromCapacity(group, await this.capacityOf(group), [...daemons.values()]);
  }

  private async scaleDown(
    known: Memberships,
    nodes: readonly Node[],
    pods: readonly Pod[],
  ): Promise<number | undefined> {
    const { flags, clock } = this.env;
    const budgets = this.hosted.list(policyv1.poddisruptionbudgets);
    const simulation = new Simulation(nodes, pods, this.lookups());
    const kept = new Map<string, string>();
    const onKept = ({ metadata: { name = '' } }: Node, why: string) => void kept.set(name, why);
    const candidates = unneededNodes(simulation, { members: known.members, budgets, flags, onKept });
    this.tellKept(kept);
    const nowMs = clock.now();
    this.unneeded.update(candidates, nowMs);
    if (candidates.length === 0) return undefined;
    const earliest = coolDownUntil(this.activity, flags);
    const dueAt = (candidate: Candidate) => Math.max(this.unneeded.dueAt(candidate, flags), earliest);
    const due = nodesToRemove(
      candidates.filter((candidate) => dueAt(candidate) <= nowMs),
      flags,
    );
    if (due.length > 0) {
      await this.remove(due);
      return flags.scanIntervalMs;
    }
    return Math.max(Math.min(...candidates.map(dueAt)) - nowMs, 1000);
  }

  /** Once for each reason: an idle node that stays should not be a riddle. */
  private tellKept(kept: ReadonlyMap<string, string>): void {
    for (const [node, why] of kept)
      if (this.kept.get(node) !== why) this.env.log.info({ node }, `node ${node} is little used but stays: ${why}`);
    this.kept = kept;
  }

  /** Names the machines to go, then asks for fewer: the owner takes the named ones, drained, budgets respected. */
  private async remove(candidates: readonly Candidate[]): Promise<void> {
    const { hostedClient, clock, log } = this.env;
    const sizes = new Map<NodeGroup, number>();
    for (const { node, machine, group } of candidates) {
      const taints = (node.spec?.taints ?? []).filter(({ key }) => key !== deletionTaint);
      const taint = { key: deletionTaint, value: String(Math.floor(clock.now() / 1000)), effect: 'NoSchedule' };
      const tainted = {
        metadata: { resourceVersion: node.metadata.resourceVersion },
        spec: { taints: [...taints, taint] },
      };
      try {
        await hostedClient.patch(core.nodes, { name: node.metadata.name ?? '' }, { type: 'merge', body: tainted });
        await this.nameForDeletion(machine);
        sizes.set(group, (sizes.get(group) ?? group.target) - 1);
      } catch (error) {
        this.failed(`cannot take node ${node.metadata.name} away`, error);
      }
    }
    for (const [group, size] of sizes) if (await this.resize(group, size)) this.activity.lastDeleteMs = clock.now();
    log.info({ nodes: candidates.map(({ node }) => node.metadata.name) }, 'unneeded nodes are being removed');
  }

  private async resize(group: NodeGroup, replicas: number): Promise<boolean> {
    const { managementClient, namespace, log } = this.env;
    const { name = '', resourceVersion } = group.owner.metadata;
    try {
      // With the version that was decided on: whoever resized it meanwhile wins, and we look again.
      const body = { metadata: { resourceVersion }, spec: { replicas } };
      await managementClient.patch(group.type, { namespace, name }, { type: 'merge', body }, { subresource: 'scale' });
      log.info({ group: group.id, from: group.target, to: replicas }, 'resized');
      return true;
    } catch (error) {
      this.failed(`cannot resize ${group.id} from ${group.target} to ${replicas}`, error);
      return false;
    }
  }

  private failed(what: string, error: unknown): void {
    this.activity.lastFailureMs = this.env.clock.now();
    this.env.log.warn({ err: error }, `${what}: ${errorMessage(error)}`);
  }

  private lookups(): Lookups {
    const { hosted } = this;
    return {
      namespaceLabels: (name) => hosted.get(core.namespaces, { name })?.metadata.labels,
      claim: (namespace, name) => hosted.get(core.persistentvolumeclaims, { namespace, name }),
      volume: (name) => hosted.get(core.persistentvolumes, { name }),
      storageClass: (name) => hosted.get(storagev1.storageclasses, { name }),
    };
  }
}

/** Everything of the hosted cluster that a look needs. */
export function hostedCache(
  client: Client,
  clock: Clock,
  onError: NonNullable<InformerCacheOptions['onError']>,
): InformerCache {
  const cache = new InformerCache({ client, clock, onError });
  cache.informer(core.nodes);
  cache.informer(core.pods);
  cache.informer(core.namespaces);
  cache.informer(core.persistentvolumeclaims);
  cache.informer(core.persistentvolumes);
  cache.informer(storagev1.storageclasses);
  cache.informer(policyv1.poddisruptionbudgets);
  return cache;
}
