import type { Instant } from '../instant.ts';
import type { ResourceCondition } from '../resources/model.ts';
import { earliest, type Observation, type Observations } from './observations.ts';

interface LastKnownInput {
  readonly required: readonly string[];
  readonly updatedTime: Instant;
  readonly previous: ResourceCondition | undefined;
}

type Judgement = Pick<ResourceCondition, 'status' | 'reason' | 'message' | 'observed_generation' | 'last_updated_time'>;

/** Whether the resource was good at the last generation all adapters agreed on; it survives a change in progress. */
export function lastKnownCondition(input: LastKnownInput, seen: Observations): ResourceCondition {
  const { updatedTime, previous } = input;
  const judged = judge(input, seen);
  return {
    type: 'LastKnownReconciled',
    ...judged,
    created_time: previous?.created_time ?? updatedTime,
    last_transition_time: previous?.status === judged.status ? previous.last_transition_time : judged.last_updated_time,
  };
}

function judge({ required, updatedTime, previous }: LastKnownInput, seen: Observations): Judgement {
  const reports = [...seen.values()];
  const keptTime = previous?.last_updated_time ?? updatedTime;
  if (required.length === 0 || reports.length < required.length) {
    return bad('AdaptersMissingReports', reports, required.length === 0 ? undefined : previous, updatedTime);
  }
  const isUniform = reports.every((report) => report.generation === reports[0]?.generation);
  const failing = reports.filter((report) => !report.available);
  if (failing.length === 0 && isUniform) {
    return good(reports[0]?.generation ?? 1, earliest(reports) ?? updatedTime);
  }
  if (previous?.status === 'True') {
    const { observed_generation: tracked } = previous;
    // Failures while working towards another generation say nothing about the one that was good.
    if (failing.every((report) => report.generation !== tracked)) return good(tracked, keptTime);
  }
  return bad(
    failing.length > 0 ? 'AdapterReportedNotAvailable' : 'AdaptersNotAtSameGeneration',
    reports,
    previous,
    updatedTime,
  );
}

function good(generation: number, time: Instant): Judgement {
  return {
    status: 'True',
    reason: 'AllAdaptersReconciled',
    message: 'All required adapters report Available=True for the tracked generation',
    observed_generation: generation,
    last_updated_time: time,
  };
}

const explanations = {
  AdaptersMissingReports: 'Required adapters have not yet reported status',
  AdapterReportedNotAvailable: 'One or more required adapters report Available=False',
  AdaptersNotAtSameGeneration: 'Required adapters do not report a consistent Available state',
};

function bad(
  reason: keyof typeof explanations,
  reports: readonly Observation[],
  previous: ResourceCondition | undefined,
  updatedTime: Instant,
): Judgement {
  const newest = Math.max(0, ...reports.map((report) => report.generation));
  const generation = newest === 0 ? (previous?.observed_generation ?? 1) : newest;
  const atNewest = reports.filter((report) => report.generation === generation);
  const failedThere = atNewest.some((report) => !report.available);
  return {
    status: 'False',
    reason,
    message: explanations[reason],
    observed_generation: generation,
    last_updated_time: (failedThere ? earliest(atNewest) : undefined) ?? previous?.last_updated_time ?? updatedTime,
  };
}
