import type { Instant } from '../instant.ts';
import type { AdapterCondition, AdapterStatus } from '../resources/model.ts';

/** What one required adapter says, as far as aggregation listens. */
export interface Observation {
  readonly generation: number;
  readonly time: Instant;
  readonly available: boolean;
  readonly finalized: boolean;
  readonly reason: string;
  readonly message: string;
}

export type Observations = ReadonlyMap<string, Observation>;

/**
 * The usable reports by adapter, in the order of the required list. A report about a generation that does not exist
 * yet, or one that does not know whether it is available, is as good as none.
 */
export function observations(
  required: readonly string[],
  reports: readonly AdapterStatus[],
  generation: number,
): Observations {
  const byAdapter = new Map(reports.map((report) => [report.adapter, report]));
  const usable = new Map<string, Observation>();
  for (const adapter of required) {
    const report = byAdapter.get(adapter);
    if (!report || report.observed_generation > generation) continue;
    const available = report.conditions.find((condition) => condition.type === 'Available');
    if (!available || available.status === 'Unknown') continue;
    usable.set(adapter, {
      generation: report.observed_generation,
      time: report.last_report_time,
      available: available.status === 'True',
      finalized: reportsFinalized(report),
      reason: available.reason ?? '',
      message: available.message ?? '',
    });
  }
  return usable;
}

/** Whether an adapter says it has cleaned up. */
export function reportsFinalized(report: {
  readonly conditions: readonly Pick<AdapterCondition, 'type' | 'status'>[];
}): boolean {
  return report.conditions.some((condition) => condition.type === 'Finalized' && condition.status === 'True');
}

export function earliest(seen: Iterable<Observation>): Instant | undefined {
  let first: Instant | undefined;
  for (const { time } of seen) if (first === undefined || time < first) first = time;
  return first;
}
