import type { Clock, corev1 } from '@hypershift-ts/kube-apimachinery';
import {
  corev1 as core,
  errorMessage,
  isConflict,
  isNotFound,
  jsonEqual,
  keyOf,
  policyv1,
  storagev1,
  systemClock,
} from '@hypershift-ts/kube-apimachinery';
import type { Client, Informer, Random } from '@hypershift-ts/kube-client';
import { InformerCache } from '@hypershift-ts/kube-client';
import type { EventRecorder, LeaderElectionOptions, Logger } from '@hypershift-ts/kube-controller';
import { ClientEventRecorder, LeaderElector, silentLogger } from '@hypershift-ts/kube-controller';
import { isPodFinished } from '../workload/pod-state.ts';
import { ClusterState } from './cluster-state.ts';
import { Decisions } from './decisions.ts';
import { nodeChange } from './node-change.ts';
import { bindPod, reportGated, reportUnschedulable, selectNode } from './pod-writes.ts';
import { SchedulingQueue } from './scheduling-queue.ts';

type Pod = corev1.Pod;

export interface SchedulerOptions {
  readonly client: Client;
  /** A cache shared with others, which is left running. Default: its own. */
  readonly cache?: InformerCache;
  /** Pods with this `spec.schedulerName`. Default `default-scheduler`. */
  readonly name?: string;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly logger?: Logger;
  readonly events?: EventRecorder;
  /** With several replicas only the leader places pods. */
  readonly leaderElection?: LeaderElectionOptions;
}

/** Pods decided in one turn of the event loop before others get their chance. */
const decisionsPerTurn = 16;
/** Bindings under way at the same time. */
const maxBinding = 32;

/** The embedded kube-scheduler: gives every pod a node, and says why when it cannot. */
export class Scheduler {
  private readonly options: SchedulerOptions;
  private readonly name: string;
  private readonly clock: Clock;
  private readonly log: Logger;
  private readonly cache: InformerCache;
  private readonly ownRecorder: ClientEventRecorder | undefined;
  private readonly events: EventRecorder;
  private readonly state = new ClusterState();
  private readonly queue: SchedulingQueue;
  private readonly decisions: Decisions;
  private readonly leave: (() => void)[] = [];
  private readonly writes = new Set<Promise<void>>();
  private readonly stopper = new AbortController();
  private readonly elector: LeaderElector | undefined;
  private readonly ended: Promise<void>;
  private settleEnded: () => void = () => {};
  private stopping: Promise<void> | undefined;
  private failure: unknown;
  private running = false;
  private pumpScheduled = false;

  constructor(options: SchedulerOptions) {
    this.options = options;
    this.name = options.name ?? 'default-scheduler';
    this.clock = options.clock ?? systemClock;
    this.log = options.logger ?? silentLogger;
    this.cache = options.cache ?? new InformerCache({ client: options.client, clock: this.clock });
    this.ownRecorder = options.events
      ? undefined
      : new ClientEventRecorder({ client: options.client, component: this.name, clock: this.clock, log: this.log });
    this.events = options.events ?? (this.ownRecorder as ClientEventRecorder);
    this.queue = new SchedulingQueue(this.clock, () => this.schedulePump());
    const random = options.random ?? Math.random;
    this.decisions = new Decisions(this.state, this.cache, random);
    if (options.leaderElection) {
      const env = { client: options.client, clock: this.clock, random, log: this.log };
      this.elector = new LeaderElector(options.leaderElection, env);
    }
    this.ended = new Promise((resolve) => {
      this.settleEnded = resolve;
    });
  }

  /** Resolves when the cluster is known and pods are being placed. */
  async start(): Promise<void> {
    const informers = this.subscribe();
    this.cache.start();
    const { signal } = this.stopper;
    await Promise.all(informers.map((informer) => informer.whenSynced(signal)));
    if (this.elector && !(await this.elector.acquire(signal))) return;
    if (signal.aborted) return;
    void this.elector?.hold(signal).catch((error: unknown) => {
      // Somebody else may begin any moment: two schedulers would promise the same room twice.
      this.failure = error;
      this.stopper.abort();
      void this.stop();
    });
    this.running = true;
    this.schedulePump();
  }

  /** Starts, works until the signal aborts or leadership is lost, and stops; rejects with what was fatal. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = () => void this.stop();
    if (signal.aborted) return;
    signal.addEventListener('abort', stop, { once: true });
    try {
      await this.start();
      await this.ended;
      if (this.failure) throw this.failure;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Ends after the bindings under way; safe to call more than once. */
  stop(): Promise<void> {
    this.stopping ??= this.end();
    return this.stopping;
  }

  private async end(): Promise<void> {
    this.running = false;
    this.stopper.abort();
    for (const leave of this.leave.splice(0)) leave();
    this.queue.close();
    await Promise.allSettled(this.writes);
    await this.elector?.release();
    await this.ownRecorder?.close();
    if (!this.options.cache) await this.cache.stop();
    this.settleEnded();
  }

  private subscribe(): Informer<never>[] {
    const { cache, queue, state } = this;
    const pods = cache.informer(core.pods);
    const nodes = cache.informer(core.nodes);
    const others = [
      cache.informer(core.persistentvolumeclaims),
      cache.informer(core.persistentvolumes),
      cache.informer(storagev1.storageclasses),
    ];
    const helpers = [cache.informer(core.namespaces), cache.informer(policyv1.poddisruptionbudgets)];
    this.leave.push(
      nodes.addHandler({
        added: (node) => {
          state.setNode(node);
          for (const cause of ['node', 'resources', 'ports', 'pods', 'volumes'] as const) queue.moved(cause);
        },
        updated: (before, node) => {
          state.setNode(node);
          for (const cause of nodeChange(before, node)) queue.moved(cause);
        },
        deleted: (node) => {
          state.removeNode(node.metadata.name ?? '');
          queue.moved('pods');
        },
      }),
      pods.addHandler({
        added: (pod) => this.podSeen(undefined, pod),
        updated: (before, pod) => this.podSeen(before, pod),
        deleted: (pod) => {
          this.podGone(pod);
          this.events.forget?.(pod);
        },
      }),
      ...others.map((informer) => {
        const moved = () => queue.moved('volumes');
        // A union of informer types: each handler ignores its arguments.
        return (informer as unknown as Informer<never>).addHandler({ added: moved, updated: moved, deleted: moved });
      }),
    );
    return [pods, nodes, ...others, ...helpers] as unknown as Informer<never>[];
  }

  private podSeen(before: Pod | undefined, pod: Pod): void {
    const key = keyOf(pod);
    if (isPodFinished(pod)) return before && isPodFinished(before) ? undefined : this.podGone(pod);
    if (pod.spec.nodeName) {
      this.queue.remove(key);
      const isNew = !before?.spec.nodeName;
      this.state.setPod(pod);
      // Others may want to be near it, or must keep their distance after a label change.
      if (isNew || labelsDiffer(before, pod)) this.queue.moved('pods');
      return;
    }
    if (pod.metadata.deletionTimestamp) return this.queue.remove(key);
    if ((pod.spec.schedulerName || 'default-scheduler') !== this.name || this.state.isAssumed(key)) return;
    if (pod.spec.schedulingGates?.length) {
      this.queue.remove(key);
      // A failed write is repeated with the pod's next change.
      if (this.running) this.track(reportGated(this.writing(), pod).catch(() => {}));
      return;
    }
    if (pod.status?.nominatedNodeName) this.state.nominate(pod, pod.status.nominatedNodeName);
    const changed = before !== undefined && before.metadata.generation !== pod.metadata.generation;
    // Our own status writes are no reason to try again.
    this.queue.put(key, pod, changed || (before !== undefined && labelsDiffer(before, pod)));
  }

  private podGone(pod: Pod): void {
    const key = keyOf(pod);
    this.queue.remove(key);
    this.state.removePod(key);
    if (!pod.spec.nodeName) return;
    for (const cause of ['resources', 'ports', 'pods'] as const) this.queue.moved(cause);
  }

  private schedulePump(): void {
    if (!this.running || this.pumpScheduled) return;
    this.pumpScheduled = true;
    setImmediate(() => {
      this.pumpScheduled = false;
      this.pump();
    });
  }

  private pump(): void {
    for (let i = 0; this.running && this.writes.size < maxBinding; i++) {
      if (i === decisionsPerTurn) return this.schedulePump();
      const item = this.queue.take();
      if (!item) return;
      this.track(this.place(item.key, item.pod));
    }
  }

  private track(write: Promise<void>): void {
    this.writes.add(write);
    void write.finally(() => {
      this.writes.delete(write);
      this.schedulePump();
    });
  }

  private writing() {
    return { client: this.options.client, events: this.events, clock: this.clock };
  }

  /** Decides at once, then writes the decision down. */
  private async place(key: string, pod: Pod): Promise<void> {
    const env = this.writing();
    try {
      const decision = this.decisions.decide(pod);
      if (decision.node !== undefined) {
        this.state.assume(pod, decision.node);
        this.queue.remove(key);
        for (const claim of this.decisions.waitingClaims(pod)) await selectNode(env, claim, decision.node);
        await bindPod(env, pod, decision.node);
        return;
      }
      // Waiting must begin before the first await, or a change in between would be missed.
      this.queue.failed(key, decision.causes);
      if (decision.preempt) this.state.nominate(pod, decision.preempt.node.name);
      await reportUnschedulable(env, pod, decision);
    } catch (error) {
      this.state.forget(pod);
      if (isNotFound(error)) return;
      const quiet = isConflict(error);
      this.log[quiet ? 'debug' : 'warn']({ err: error, object: key }, `could not place a pod: ${errorMessage(error)}`);
      const live = this.cache.informer(core.pods).get(key);
      if (!live || live.spec.nodeName || live.metadata.deletionTimestamp) return;
      this.queue.put(key, live, false);
      this.queue.retry(key);
    }
  }
}

function labelsDiffer(before: Pod, pod: Pod): boolean {
  return !jsonEqual(before.metadata.labels ?? {}, pod.metadata.labels ?? {});
}

/** A scheduler to start and stop. */
export function scheduler(options: SchedulerOptions): Scheduler {
  return new Scheduler(options);
}
