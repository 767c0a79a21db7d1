import { invalid } from '../errors/index.ts';
import type { Instant } from '../instant.ts';
import type { AdapterCondition, AdapterStatus } from '../resources/model.ts';
import type { Report, ReportedCondition } from './report.ts';

const mandatory = ['Available', 'Applied', 'Health'];

/** What to do with a report: forget it (204), or store it (201) and perhaps aggregate anew. */
type ReportOutcome = { readonly store: false } | { readonly store: true; readonly aggregate: boolean };

const ignored: ReportOutcome = { store: false };

/** Decides about a report from the generation of the resource and the adapter's stored report. */
export function outcomeOf(report: Report, generation: number, stored: AdapterStatus | undefined): ReportOutcome {
  if (report.observed_generation > generation) return ignored;
  if (stored && isOlder(report, stored)) return ignored;
  for (const type of mandatory) {
    if (report.conditions.some((condition) => condition.type === type)) continue;
    throw invalid(`missing mandatory condition '${type}': all adapters must report Available, Applied, and Health`);
  }
  const isUnknown = report.conditions.some(({ type, status }) => type === 'Available' && status === 'Unknown');
  // The first "I do not know yet" shows that the adapter is there; later ones would erase what it knew.
  if (isUnknown) return stored ? ignored : { store: true, aggregate: false };
  return { store: true, aggregate: true };
}

function isOlder(report: Report, stored: AdapterStatus): boolean {
  if (report.observed_generation !== stored.observed_generation)
    return report.observed_generation < stored.observed_generation;
  return report.observed_time < stored.last_report_time;
}

/** The stored form of a report; a condition keeps its transition time while its status stays. */
export function statusFrom(report: Report, stored: AdapterStatus | undefined, now: Instant): AdapterStatus {
  return {
    adapter: report.adapter,
    observed_generation: report.observed_generation,
    conditions: report.conditions.map((condition) => withTransition(condition, report.observed_time, stored)),
    ...(report.data ? { data: report.data } : {}),
    ...(report.metadata ? { metadata: report.metadata } : {}),
    created_time: stored?.created_time ?? now,
    last_report_time: report.observed_time,
  };
}

function withTransition(
  condition: ReportedCondition,
  observed: Instant,
  stored: AdapterStatus | undefined,
): AdapterCondition {
  const before = stored?.conditions.find(({ type }) => type === condition.type);
  return {
    ...condition,
    last_transition_time: before?.status === condition.status ? before.last_transition_time : observed,
  };
}
