import type { Instant } from '../instant.ts';
import type { ResourceCondition } from '../resources/model.ts';
import { earliest, type Observations } from './observations.ts';

export interface ReconciledInput {
  readonly required: readonly string[];
  readonly generation: number;
  readonly updatedTime: Instant;
  readonly deleting: boolean;
  readonly activeChildren: boolean;
  readonly previous: ResourceCondition | undefined;
}

/** Whether every required adapter did what the current generation asks for: available, or finalized when deleting. */
export function reconciledCondition(input: ReconciledInput, seen: Observations): ResourceCondition {
  const { required, generation, updatedTime, deleting, activeChildren, previous } = input;
  const isDone = (adapter: string): boolean => {
    const report = seen.get(adapter);
    return report?.generation === generation && (deleting ? report.finalized : report.available);
  };
  const allDone = required.length > 0 && required.every(isDone);
  const waitsForChildren = deleting && activeChildren;
  const status = allDone && !waitsForChildren ? 'True' : 'False';
  const updated = earliest([...seen.values()].filter((report) => report.generation === generation)) ?? updatedTime;
  return {
    type: 'Reconciled',
    status,
    ...(status === 'True'
      ? done
      : allDone
        ? waiting
        : missing(
            required.filter((adapter) => !isDone(adapter)),
            [...seen.keys()],
            deleting,
          )),
    observed_generation: generation,
    created_time: previous?.created_time ?? updatedTime,
    last_updated_time: updated,
    last_transition_time: transition(input, status, updated),
  };
}

const done = {
  reason: 'ReconciledAll',
  message: 'All required adapters reported Available=True or Finalized=True at the current generation',
};

const waiting = {
  reason: 'ReconciledWaitingForChildren',
  message: 'Deletion in progress. All required adapters reported Finalized=True but child resources still exist',
};

function missing(absent: readonly string[], reporting: readonly string[], deleting: boolean) {
  const list = (names: readonly string[]) => `[${[...names].sort().join(', ')}]`;
  const wanted = deleting ? 'Finalized=True' : 'Available=True';
  return {
    reason: 'ReconciledMissingAdapters',
    message: `Required adapters not reporting ${wanted}: ${list(absent)}. Currently reporting: ${list(reporting)}`,
  };
}

function transition(input: ReconciledInput, status: 'True' | 'False', updated: Instant): Instant {
  const { previous, generation, updatedTime } = input;
  if (!previous) return updated;
  if (previous.status === status) return previous.last_transition_time;
  // A new generation made it fall, so it fell when the user changed the resource, not when an adapter looked.
  const fellByChange = status === 'False' && generation > previous.observed_generation;
  return fellByChange ? updatedTime : updated;
}
