import { type Condition, findCondition, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { ComponentStatus } from './component-status.ts';

/** Reasons of a component that is on its way; which of them it is says little, and changes several times a second. */
const underway: ReadonlySet<string> = new Set([
  'NotFound',
  'WaitingForAvailable',
  'WaitingForDependencies',
  'WaitingForRolloutComplete',
  'JobActive',
  'Unknown',
]);

/** Whether only the words about the way have changed, not how far a component has got. */
export function isOnlyWording(before: ComponentStatus | undefined, next: ComponentStatus): boolean {
  // Of a component that nothing was said about everybody knows that it is on its way.
  if (!before?.conditions) return (next.conditions ?? []).every(isUnderway);
  const { conditions: was, ...rest } = before;
  const { conditions: is, ...others } = next;
  return (
    jsonEqual(rest, others) &&
    (is ?? []).every((condition) => isSameStage(findCondition(was, condition.type), condition))
  );
}

function isUnderway({ status, reason = '' }: Condition): boolean {
  return status !== 'True' && underway.has(reason);
}

function isSameStage(was: Condition | undefined, is: Condition): boolean {
  if (!was || was.status !== is.status) return false;
  const isEqual = was.reason === is.reason && was.message === is.message;
  return isEqual || (isUnderway(was) && isUnderway(is));
}

/** Lets the words of components that are on their way wait, so that starting a control plane is not mostly reporting. */
export class ReportPace {
  /** When what is held back is due, in milliseconds since the epoch. */
  private readonly held = new Map<string, number>();
  private readonly everyMs: () => number;

  constructor(everyMs: () => number) {
    this.everyMs = everyMs;
  }

  /** Whether new words about a component may be written now; `now` is in milliseconds. */
  mayWrite(component: string, now: number): boolean {
    const due = this.held.get(component) ?? now + this.everyMs();
    this.held.set(component, due);
    return now >= due;
  }

  /** Milliseconds since the epoch from which on what was held back may be written; undefined when nothing was. */
  dueAt(component: string): number | undefined {
    return this.held.get(component);
  }

  written(component: string): void {
    this.held.delete(component);
  }

  /** Milliseconds until something that was held back is due. */
  nextMs(now: number): number | undefined {
    if (this.held.size === 0) return undefined;
    return Math.max(1, Math.min(...this.held.values()) - now);
  }
}
