import type { ControlPlaneComponent } from '@hypershift-ts/hypershift-api';
import { type Condition, jsonEqual, setConditions } from '@hypershift-ts/kube-apimachinery';
import type { WorkloadKind } from './component.ts';
import { type Verdict, workloadVerdict } from './workload-status.ts';

export type ComponentStatus = NonNullable<ControlPlaneComponent['status']>;

export interface ComponentFacts {
  readonly name: string;
  readonly kind: WorkloadKind;
  /** Plural and group, for the message about a missing workload. */
  readonly resource: string;
  readonly live: object | undefined;
  readonly unmet: readonly string[];
  readonly error?: Error | undefined;
  /** Why operands are not at the version yet; undefined when they are, or there are none. */
  readonly operands?: string | undefined;
  readonly version: string;
  readonly generation: number;
  readonly resources: ComponentStatus['resources'];
}

/** The two conditions of a component, without times. */
export function componentConditions(facts: ComponentFacts): readonly Condition[] {
  const missing: Verdict = {
    status: 'False',
    reason: 'NotFound',
    message: `${facts.resource} "${facts.name}" not found`,
  };
  const workload = facts.live ? workloadVerdict(facts.kind, facts.live) : { available: missing, rolledOut: missing };
  return [
    { type: 'Available', ...workload.available },
    { type: 'RolloutComplete', ...rolloutVerdict(facts, workload.rolledOut) },
  ];
}

function rolloutVerdict({ unmet, error, operands }: ComponentFacts, workload: Verdict): Verdict {
  if (unmet.length > 0) {
    return {
      status: 'False',
      reason: 'WaitingForDependencies',
      message: `Waiting for Dependencies: ${unmet.join(', ')}`,
    };
  }
  if (error) return { status: 'False', reason: 'ReconciliationError', message: error.message };
  if (workload.status === 'True' && operands)
    return { status: 'False', reason: 'WaitingForOperands', message: operands };
  return workload;
}

/** The whole status; the very same object when nothing changed. The version moves only with a complete rollout. */
export function componentStatus(
  previous: ComponentStatus | undefined,
  facts: ComponentFacts,
  now: string,
): ComponentStatus {
  const conditions = setConditions(
    previous?.conditions as readonly Condition[] | undefined,
    componentConditions(facts),
    now,
  );
  const complete = conditions.find(({ type }) => type === 'RolloutComplete')?.status === 'True';
  const version = complete ? facts.version : previous?.version;
  const next = {
    ...previous,
    conditions: conditions as ComponentStatus['conditions'],
    observedGeneration: facts.generation,
    ...(facts.resources ? { resources: facts.resources } : {}),
    ...(version === undefined ? {} : { version }),
  } as ComponentStatus;
  return previous && jsonEqual(previous, next) ? previous : next;
}
