import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { formatTime } from '@hypershift-ts/kube-apimachinery';

type NamespaceCondition = corev1.NamespaceCondition;

/** What one attempt to empty a namespace found. */
export interface Findings {
  readonly discoveryError?: string;
  readonly deletionErrors: readonly string[];
  /** Objects left, by `resource.group`. */
  readonly remaining: ReadonlyMap<string, number>;
  /** Objects left that wait for a finalizer, by finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
}

export function nothingRemains({ discoveryError, deletionErrors, remaining }: Findings): boolean {
  return discoveryError === undefined && deletionErrors.length === 0 && remaining.size === 0;
}

/** The five conditions by which a terminating namespace says why it is still there. */
export function deletionConditions(
  live: readonly NamespaceCondition[] | undefined,
  findings: Findings,
  now: number,
): readonly NamespaceCondition[] {
  const { discoveryError, deletionErrors, remaining, finalizers } = findings;
  const list = (counts: ReadonlyMap<string, number>, text: (name: string, count: number) => string) =>
    [...counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, count]) => text(name, count))
      .join(', ');
  const wanted: [string, string, string, boolean, string][] = [
    [
      'NamespaceDeletionDiscoveryFailure',
      'DiscoveryFailed',
      'ResourcesDiscovered',
      discoveryError !== undefined,
      discoveryError
        ? `Discovery failed for some groups, 1 failing: ${discoveryError}`
        : 'All resources successfully discovered',
    ],
    [
      'NamespaceDeletionGroupVersionParsingFailure',
      'GroupVersionParsingFailed',
      'ParsedGroupVersions',
      false,
      'All legacy kube types successfully parsed',
    ],
    [
      'NamespaceDeletionContentFailure',
      'ContentDeletionFailed',
      'ContentDeleted',
      deletionErrors.length > 0,
      deletionErrors.length > 0
        ? `Failed to delete all resource types, ${deletionErrors.length} remaining: ${deletionErrors.join(', ')}`
        : 'All content successfully deleted, may be waiting on finalization',
    ],
    [
      'NamespaceContentRemaining',
      'SomeResourcesRemain',
      'ContentRemoved',
      remaining.size > 0,
      remaining.size > 0
        ? `Some resources are remaining: ${list(remaining, (name, count) => `${name} has ${count} resource instances`)}`
        : 'All content successfully removed',
    ],
    [
      'NamespaceFinalizersRemaining',
      'SomeFinalizersRemain',
      'ContentHasNoFinalizers',
      finalizers.size > 0,
      finalizers.size > 0
        ? `Some content in the namespace has finalizers remaining: ${list(finalizers, (name, count) => `${name} in ${count} resource instances`)}`
        : 'All content-preserving finalizers finished',
    ],
  ];
  const others = (live ?? []).filter(({ type }) => !wanted.some(([name]) => name === type));
  return [
    ...others,
    ...wanted.map(([type, bad, good, failing, message]): NamespaceCondition => {
      const status = failing ? 'True' : 'False';
      const before = live?.find((condition) => condition.type === type);
      const lastTransitionTime = before?.status === status ? (before.lastTransitionTime ?? '') : formatTime(now);
      return { type, status, lastTransitionTime, reason: failing ? bad : good, message };
    }),
  ];
}
