import type { Clock, KubeObject, ObjectKey, ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { Client, InformerCache, Scope } from '@hypershift-ts/kube-client';
import type { EventRecorder } from './events/event-recorder.ts';
import type { Logger } from './logger.ts';
import type { Predicate } from './predicates.ts';
import type { RateLimitOptions } from './queue/rate-limiter.ts';
import type { Priority } from './queue/work-queue.ts';

/** What a reconcile may use. Everything tenant-specific is here, so one controller value serves many clusters. */
export interface ReconcileContext {
  readonly client: Client;
  /** Reads that cost nothing; only of types the controller is for, owns or watches. */
  readonly cache: InformerCache;
  readonly clock: Clock;
  readonly log: Logger;
  readonly events: EventRecorder;
  /** Aborts when the process stops or the reconcile takes longer than allowed. */
  readonly signal: AbortSignal;
  /** Failures in a row of this key so far. */
  readonly attempt: number;
}

/** Nothing: wait for the next change. `requeueAfterMs`: also look again when that time has passed. */
export type ReconcileResult = { readonly requeueAfterMs?: number } | undefined;

export type Reconcile = (
  key: ObjectKey,
  context: ReconcileContext,
  // biome-ignore lint/suspicious/noConfusingVoidType: a reconcile without a return statement is the usual one
) => Promise<ReconcileResult | void>;

/** Puts a key on the controller's queue. */
export type Enqueue = (key: ObjectKey, options?: { readonly afterMs?: number; readonly priority?: Priority }) => void;

interface SourceOptions<T extends KubeObject> extends Scope {
  readonly type: ResourceType<T>;
  readonly predicate?: Predicate<T>;
  /** How long a change (an arrival when `previous` is absent) waits for others of its key. Default: `gatherMs`. */
  gatherMsOf?(object: T, previous?: T): number;
  /** Another cluster's cache; it must be started and stopped by whoever made it. */
  readonly cache?: InformerCache;
}

/** The objects the controller is for. */
export interface ForSource<T extends KubeObject> extends SourceOptions<T> {}

/** Objects whose owner references name an object the controller is for. */
export interface OwnsSource<T extends KubeObject = KubeObject> extends SourceOptions<T> {
  /** `any`: also owners that are not the controller of the object. */
  readonly owner?: 'controller' | 'any';
}

/** Other objects, with the keys that each of them concerns. */
export interface WatchSource<T extends KubeObject = KubeObject> extends SourceOptions<T> {
  map(object: T, context: { readonly cache: InformerCache; readonly client: Client }): MappedKeys | Promise<MappedKeys>;
}

type MappedKeys = readonly ObjectKey[] | undefined;

/** A source that is not a watch: calls `enqueue` when it likes, and returns how to end it. */
export type CustomSource = (enqueue: Enqueue, context: Omit<ReconcileContext, 'attempt'>) => (() => void) | undefined;

export interface ControllerSpec<T extends KubeObject, W extends readonly KubeObject[]> {
  /** Unique in its process; the name in logs, metrics and events. */
  readonly name: string;
  readonly for: ResourceType<T> | ForSource<T>;
  readonly owns?: readonly (ResourceType<KubeObject> | OwnsSource)[];
  readonly watches?: readonly [...{ [I in keyof W]: WatchSource<W[I]> }];
  readonly sources?: readonly CustomSource[];
  readonly reconcile: Reconcile;
  /** Keys worked on at the same time; never one key twice. Default 1. */
  readonly concurrency?: number;
  readonly rateLimit?: RateLimitOptions;
  /** How long a change waits for others of the same key, for reconciles that many watches lead to. Default 0. */
  readonly gatherMs?: number;
  /** Aborts the reconcile's signal after this long. */
  readonly timeoutMs?: number;
  /** False: runs on every replica, leader or not. Default true. */
  readonly leaderOnly?: boolean;
}

/** A controller as a value: what to watch and what to do. A Manager runs it, as many Managers as you like. */
export interface Controller {
  readonly name: string;
  readonly for: ForSource<KubeObject>;
  readonly owns: readonly OwnsSource[];
  readonly watches: readonly WatchSource[];
  readonly sources: readonly CustomSource[];
  readonly reconcile: Reconcile;
  readonly concurrency: number;
  readonly rateLimit: RateLimitOptions;
  readonly gatherMs: number;
  readonly timeoutMs: number | undefined;
  readonly leaderOnly: boolean;
  /** Who tells of its objects. Default: the manager's recorder. */
  readonly events?: EventRecorder;
}

/** Declares a controller. */
export function controller<T extends KubeObject, W extends readonly KubeObject[] = []>(
  spec: ControllerSpec<T, W>,
): Controller {
  if (spec.name === '') throw new Error('a controller needs a name');
  const concurrency = spec.concurrency ?? 1;
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new Error(`controller ${spec.name}: concurrency must be a whole number of at least 1, not ${concurrency}`);
  }
  return Object.freeze<Controller>({
    name: spec.name,
    // Object types meet again inside one source only (its predicate and map), so they may be forgotten here.
    for: asSource(spec.for),
    owns: (spec.owns ?? []).map(asSource),
    watches: spec.watches ?? [],
    sources: spec.sources ?? [],
    reconcile: spec.reconcile,
    concurrency,
    rateLimit: spec.rateLimit ?? {},
    gatherMs: spec.gatherMs ?? 0,
    timeoutMs: spec.timeoutMs,
    leaderOnly: spec.leaderOnly ?? true,
  });
}

function asSource<T extends KubeObject, S extends SourceOptions<T>>(source: ResourceType<T> | S): S | ForSource<T> {
  return 'type' in source ? source : { type: source };
}
