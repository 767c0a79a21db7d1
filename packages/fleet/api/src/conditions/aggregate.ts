import type { Instant } from '../instant.ts';
import { adapterConditionType } from '../registry/index.ts';
import type { AdapterStatus, ResourceCondition } from '../resources/model.ts';
import { lastKnownCondition } from './last-known.ts';
import { type Observations, observations, reportsFinalized } from './observations.ts';
import { reconciledCondition } from './reconciled.ts';

export interface AggregationInput {
  readonly required: readonly string[];
  readonly reports: readonly AdapterStatus[];
  readonly generation: number;
  /** `updated_time` of the resource; there is no other clock in here, so the same input always gives the same result. */
  readonly updatedTime: Instant;
  readonly previous: readonly ResourceCondition[];
  readonly deleting: boolean;
  /** Children that are not marked for deletion; looked at only while deleting. */
  readonly activeChildren: boolean;
}

/** The conditions of a resource from the reports of its adapters: Reconciled, LastKnownReconciled, one per adapter. */
export function aggregate(input: AggregationInput): ResourceCondition[] {
  const seen = observations(input.required, input.reports, input.generation);
  const previousOf = (type: string) => input.previous.find((condition) => condition.type === type);
  return [
    reconciledCondition({ ...input, previous: previousOf('Reconciled') }, seen),
    lastKnownCondition({ ...input, previous: previousOf('LastKnownReconciled') }, seen),
    ...adapterConditions(seen, previousOf, input.updatedTime),
  ];
}

function adapterConditions(
  seen: Observations,
  previousOf: (type: string) => ResourceCondition | undefined,
  updatedTime: Instant,
): ResourceCondition[] {
  return [...seen].map(([adapter, report]) => {
    const type = adapterConditionType(adapter);
    const previous = previousOf(type);
    const status = report.available ? 'True' : 'False';
    return {
      type,
      status,
      reason: report.reason,
      message: report.message,
      observed_generation: report.generation,
      created_time: previous?.created_time ?? updatedTime,
      last_updated_time: report.time,
      last_transition_time: previous?.status === status ? previous.last_transition_time : report.time,
    };
  });
}

/** Whether a resource marked for deletion may go: every required adapter finalized the current generation. */
export function allFinalized(
  required: readonly string[],
  reports: readonly AdapterStatus[],
  generation: number,
): boolean {
  const seen = new Map(reports.map((report) => [report.adapter, report]));
  return required.every((adapter) => {
    const report = seen.get(adapter);
    return report?.observed_generation === generation && reportsFinalized(report);
  });
}
