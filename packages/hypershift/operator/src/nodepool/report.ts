import { type NodePool, type NodePoolConditionType, nodePools } from '@hypershift-ts/hypershift-api';
import { formatTime, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { ReconcileContext } from '@hypershift-ts/kube-controller';

/** What a condition of a NodePool says; generation and time are added when it is written. */
export interface PoolVerdict {
  readonly type: NodePoolConditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly severity?: string;
}

type PoolCondition = NonNullable<NonNullable<NodePool['status']>['conditions']>[number];
type PoolStatus = NonNullable<NodePool['status']>;

export const holds = (type: NodePoolConditionType, message: string, reason = 'AsExpected'): PoolVerdict => ({
  type,
  status: 'True',
  reason,
  message,
});

export const fails = (type: NodePoolConditionType, reason: string, message: string): PoolVerdict => ({
  type,
  status: 'False',
  reason,
  message,
});

export const unknown = (type: NodePoolConditionType, reason: string, message: string): PoolVerdict => ({
  type,
  status: 'Unknown',
  reason,
  message,
});

/** Everything a reconcile finds out about a pool, written at its end in at most two requests, also when it fails. */
export class PoolReport {
  private readonly stated = new Map<NodePoolConditionType, PoolVerdict | undefined>();
  private readonly fields: { [field: string]: unknown } = {};
  private readonly annotations: { [key: string]: string | null } = {};

  say(...verdicts: readonly PoolVerdict[]): void {
    for (const verdict of verdicts) this.stated.set(verdict.type, verdict);
  }

  /** The condition does not apply. */
  drop(type: NodePoolConditionType): void {
    this.stated.set(type, undefined);
  }

  /** What was said in this reconcile, or else what the pool already carries. */
  status(pool: NodePool, type: NodePoolConditionType): string | undefined {
    return this.stated.has(type)
      ? this.stated.get(type)?.status
      : pool.status?.conditions?.find((condition) => condition.type === type)?.status;
  }

  /** Fields of status; undefined removes one. */
  set(fields: { readonly [field in keyof PoolStatus]?: PoolStatus[field] | undefined }): void {
    Object.assign(this.fields, fields);
  }

  annotate(annotations: { readonly [key: string]: string | null }): void {
    Object.assign(this.annotations, annotations);
  }

  async write(pool: NodePool, context: ReconcileContext): Promise<void> {
    const annotated = await this.writeAnnotations(pool, context);
    await this.writeStatus(annotated, context);
  }

  private async writeAnnotations(pool: NodePool, { client, signal }: ReconcileContext): Promise<NodePool> {
    const { metadata } = pool;
    const changed = Object.entries(this.annotations).filter(
      ([key, value]) => (metadata.annotations?.[key] ?? null) !== value,
    );
    if (changed.length === 0) return pool;
    const body = { metadata: { annotations: Object.fromEntries(changed) } };
    const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
    return client.patch(nodePools, key, { type: 'merge', body }, { signal });
  }

  private async writeStatus(pool: NodePool, { client, clock, signal }: ReconcileContext): Promise<void> {
    const conditions = this.conditions(pool, formatTime(clock.now()));
    const fields = Object.entries({ ...pool.status, ...this.fields, conditions });
    const status = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
    if (jsonEqual(status, { conditions: [], ...pool.status })) return;
    await client.update(nodePools, { ...pool, status } as NodePool, { subresource: 'status', signal });
  }

  private conditions({ metadata, status }: NodePool, now: string): readonly PoolCondition[] {
    const { generation = 0 } = metadata;
    const merged: PoolCondition[] = [...(status?.conditions ?? [])].filter(
      ({ type }) => this.stated.get(type as NodePoolConditionType) || !this.stated.has(type as NodePoolConditionType),
    );
    for (const verdict of this.stated.values()) {
      if (!verdict) continue;
      const at = merged.findIndex(({ type }) => type === verdict.type);
      const before = merged[at];
      const lastTransitionTime = before?.status === verdict.status ? before.lastTransitionTime : now;
      const next = { ...verdict, observedGeneration: generation, lastTransitionTime };
      if (at < 0) merged.push(next);
      else merged[at] = next;
    }
    return merged;
  }
}
