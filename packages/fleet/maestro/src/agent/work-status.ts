import {
  type Condition,
  errorMessage,
  findCondition,
  jsonEqual,
  type KubeObject,
  setCondition,
  setConditions,
} from '@hypershift-ts/kube-apimachinery';
import { feedbackOf } from '../work/feedback.ts';
import type { ManifestSettings } from '../work/manifest-settings.ts';
import type { ManifestCondition, ManifestResourceMeta, ManifestWorkStatus } from '../work/manifest-work.ts';

/** What became of one object of the workload. */
export interface ManifestOutcome {
  readonly meta: ManifestResourceMeta;
  readonly settings: ManifestSettings;
  /** Why it could not be applied; absent when it was, or when the pass only looked. */
  readonly applyError?: unknown;
  readonly wasApplied: boolean;
  /** What is there; `missing` when nothing is, and an error when nobody could tell. */
  readonly seen: KubeObject | 'missing' | Error;
}

/** The status of a work after a pass over its objects. */
export function statusAfter(
  before: ManifestWorkStatus,
  outcomes: readonly ManifestOutcome[],
  generation: number,
  now: string,
): ManifestWorkStatus {
  const known = before.resourceStatus?.manifests ?? [];
  const manifests = outcomes
    .toSorted((a, b) => a.meta.ordinal - b.meta.ordinal)
    .map((outcome) => manifestStatus(known.find(sameAs(outcome.meta)), outcome, generation, now));
  const conditions = setConditions(
    before.conditions,
    [appliedOf(manifests, generation, before), availableOf(manifests, generation)].filter((item) => item !== undefined),
    now,
  );
  return { conditions, resourceStatus: { manifests } };
}

const sameAs =
  (meta: ManifestResourceMeta) =>
  ({ resourceMeta }: ManifestCondition): boolean =>
    jsonEqual({ ...resourceMeta, ordinal: 0 }, { ...meta, ordinal: 0 });

function manifestStatus(
  known: ManifestCondition | undefined,
  outcome: ManifestOutcome,
  generation: number,
  now: string,
): ManifestCondition {
  const { seen, settings } = outcome;
  const isObject = seen !== 'missing' && !(seen instanceof Error);
  const feedback = isObject ? feedbackOf(seen, settings.feedbackRules) : undefined;
  // What nobody can see any more keeps its last values; that it is not available says how old they are.
  const statusFeedback = feedback
    ? feedback.values.length > 0
      ? { values: feedback.values }
      : {}
    : known?.statusFeedback;
  let conditions: readonly Condition[] = known?.conditions ?? [];
  if (outcome.wasApplied) conditions = setCondition(conditions, manifestApplied(outcome, generation), now);
  conditions = setCondition(conditions, manifestAvailable(seen), now);
  if (feedback) {
    const synced = feedbackSynced(settings, feedback.errors);
    const moved = !jsonEqual(known?.statusFeedback ?? {}, statusFeedback ?? {});
    conditions = setCondition(conditions, synced, now);
    if (moved)
      conditions = conditions.map((item) => (item.type === synced.type ? { ...item, lastTransitionTime: now } : item));
  }
  return { resourceMeta: outcome.meta, statusFeedback: statusFeedback ?? {}, conditions };
}

function manifestApplied({ applyError }: ManifestOutcome, observedGeneration: number): Condition {
  return applyError === undefined
    ? {
        type: 'Applied',
        status: 'True',
        observedGeneration,
        reason: 'AppliedManifestComplete',
        message: 'Apply manifest complete',
      }
    : {
        type: 'Applied',
        status: 'False',
        observedGeneration,
        reason: 'AppliedManifestFailed',
        message: `Failed to apply manifest: ${errorMessage(applyError)}`,
      };
}

function manifestAvailable(seen: ManifestOutcome['seen']): Condition {
  const type = 'Available';
  if (seen instanceof Error)
    return { type, status: 'Unknown', reason: 'FetchingResourceFailed', message: `Failed to read it: ${seen.message}` };
  return seen === 'missing'
    ? { type, status: 'False', reason: 'ResourceNotAvailable', message: 'Resource is not available' }
    : { type, status: 'True', reason: 'ResourceAvailable', message: 'Resource is available' };
}

function feedbackSynced({ feedbackRules }: ManifestSettings, errors: readonly string[]): Condition {
  const type = 'StatusFeedbackSynced';
  if (errors.length > 0)
    return {
      type,
      status: 'False',
      reason: 'StatusFeedbackSyncFailed',
      message: `Sync status feedback failed: ${errors.join('; ')}`,
    };
  return feedbackRules.length > 0
    ? { type, status: 'True', reason: 'StatusFeedbackSynced', message: 'Status feedback is synced' }
    : { type, status: 'True', reason: 'NoStatusFeedbackSynced', message: 'No feedback is asked for' };
}

function appliedOf(
  manifests: readonly ManifestCondition[],
  observedGeneration: number,
  before: ManifestWorkStatus,
): Condition | undefined {
  const each = manifests.map(({ conditions }) => findCondition(conditions, 'Applied'));
  // A work that only looks has nothing to say here, and neither has a pass that did not apply.
  if (each.every((item) => item === undefined)) return findCondition(before.conditions, 'Applied');
  const failed = each.filter((item) => item?.status === 'False').length;
  return failed === 0
    ? {
        type: 'Applied',
        status: 'True',
        observedGeneration,
        reason: 'AppliedManifestWorkComplete',
        message: 'Apply manifest work complete',
      }
    : {
        type: 'Applied',
        status: 'False',
        observedGeneration,
        reason: 'AppliedManifestWorkFailed',
        message: `${failed} of ${manifests.length} manifests could not be applied`,
      };
}

function availableOf(manifests: readonly ManifestCondition[], observedGeneration: number): Condition {
  const states = manifests.map(({ conditions }) => findCondition(conditions, 'Available')?.status);
  const count = (status: string) => states.filter((state) => state === status).length;
  const common = { type: 'Available', observedGeneration };
  if (count('False') > 0)
    return {
      ...common,
      status: 'False',
      reason: 'ResourcesNotAvailable',
      message: `${count('False')} of ${manifests.length} resources are not available`,
    };
  if (count('Unknown') > 0)
    return {
      ...common,
      status: 'Unknown',
      reason: 'ResourcesStatusUnknown',
      message: `${count('Unknown')} of ${manifests.length} resources could not be read`,
    };
  return { ...common, status: 'True', reason: 'ResourcesAvailable', message: 'All resources are available' };
}

/** The status of a work that is refused as a whole. */
export function statusOfRefusal(
  before: ManifestWorkStatus,
  why: string,
  generation: number,
  now: string,
): ManifestWorkStatus {
  const condition: Condition = {
    type: 'Applied',
    status: 'False',
    observedGeneration: generation,
    reason: 'AppliedManifestWorkFailed',
    message: `The work cannot be applied: ${why}`,
  };
  return { ...before, conditions: setCondition(before.conditions, condition, now) };
}

export function statusOfDeleting(
  before: ManifestWorkStatus,
  left: number | undefined,
  now: string,
): ManifestWorkStatus {
  const condition: Condition = {
    type: 'Deleting',
    status: 'True',
    reason: 'WorkDeleting',
    message:
      left === undefined
        ? 'ManifestWork is being deleted'
        : `ManifestWork is being deleted; ${left} objects are still there`,
  };
  return { ...before, conditions: setCondition(before.conditions, condition, now) };
}

/** The last status of a work. */
export function statusOfDeleted(cluster: string, now: string): ManifestWorkStatus {
  return {
    conditions: [
      {
        type: 'Deleted',
        status: 'True',
        reason: 'ManifestsDeleted',
        message: `The manifests are deleted from the cluster ${cluster}`,
        lastTransitionTime: now,
      },
    ],
  };
}
