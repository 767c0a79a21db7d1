import type { KubeObject, OwnerReference } from '@hypershift-ts/kube-apimachinery';
import { foregroundFinalizer, orphanFinalizer } from '@hypershift-ts/kube-apimachinery';

/** What is known of one owner: there, there but waiting for its dependents to go, gone, or not allowed to own this. */
export type OwnerState = 'solid' | 'waiting' | 'absent' | 'unresolvable';

export type Verdict =
  | { readonly action: 'keep' }
  /** Other owners remain: only these references go. */
  | { readonly action: 'drop-references'; readonly uids: readonly string[] }
  | { readonly action: 'delete'; readonly policy: 'Foreground' | 'Background' | 'Orphan' };

/** What to do with an object whose owners are in these states. */
export function verdictFor(
  object: KubeObject,
  owners: readonly { readonly reference: OwnerReference; readonly state: OwnerState }[],
  hasDependents: boolean,
): Verdict {
  const of = (state: OwnerState) =>
    owners.filter((owner) => owner.state === state).map(({ reference }) => reference.uid);
  const absent = of('absent');
  const waiting = of('waiting');
  if (owners.length === 0 || absent.length + waiting.length === 0) return { action: 'keep' };
  if (of('solid').length + of('unresolvable').length > 0) {
    return { action: 'drop-references', uids: [...absent, ...waiting] };
  }
  if (waiting.length > 0 && hasDependents) return { action: 'delete', policy: 'Foreground' };
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes(orphanFinalizer)) return { action: 'delete', policy: 'Orphan' };
  if (finalizers.includes(foregroundFinalizer)) return { action: 'delete', policy: 'Foreground' };
  return { action: 'delete', policy: 'Background' };
}
