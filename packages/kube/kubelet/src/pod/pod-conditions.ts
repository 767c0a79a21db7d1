import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { ContainerView } from './container-state.ts';
import type { PodPhase } from './pod-phase.ts';

export interface ConditionInput {
  readonly pod: corev1.Pod;
  readonly phase: PodPhase;
  readonly containers: readonly ContainerView[];
  /** The pod has its address, its volumes and its directories. */
  readonly prepared: boolean;
  readonly now: string;
}

type Draft = Omit<corev1.PodCondition, 'lastTransitionTime'>;

/** The conditions kubelet owns, with transition times kept where the status did not change. */
export function podConditions(input: ConditionInput): corev1.PodCondition[] {
  const { pod, now } = input;
  const generation = pod.metadata.generation;
  const wanted: Draft[] = [
    { type: 'PodReadyToStartContainers', status: text(input.prepared && !isOver(input.phase)) },
    initialized(input),
    ready(input),
    containersReady(input),
    { type: 'PodScheduled', status: 'True' },
  ];
  return wanted.map((condition) => {
    const before = pod.status?.conditions?.find(({ type }) => type === condition.type);
    const lastTransitionTime = before?.status === condition.status ? (before.lastTransitionTime ?? now) : now;
    return { ...condition, lastTransitionTime, ...(generation ? { observedGeneration: generation } : {}) };
  });
}

function initialized({ phase, containers }: ConditionInput): Draft {
  if (phase === 'Succeeded') return { type: 'Initialized', status: 'True', reason: 'PodCompleted' };
  const hasStarted = containers.some(
    ({ role, phase: state, last }) => role === 'main' && (state.kind !== 'waiting' || last),
  );
  const pending = containers.filter(
    ({ role, phase: state, started }) =>
      (role === 'init' && !(state.kind === 'exited' && state.exit.exitCode === 0)) || (role === 'sidecar' && !started),
  );
  if (pending.length === 0 || hasStarted) return { type: 'Initialized', status: 'True' };
  return {
    type: 'Initialized',
    status: 'False',
    reason: 'ContainersNotInitialized',
    message: `containers with incomplete status: [${names(pending)}]`,
  };
}

function containersReady({ phase, containers }: ConditionInput): Draft {
  if (phase === 'Succeeded') return { type: 'ContainersReady', status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { type: 'ContainersReady', status: 'False', reason: 'PodFailed' };
  const unready = containers.filter(({ role, ready: isReady }) => role !== 'init' && !isReady);
  if (unready.length === 0) return { type: 'ContainersReady', status: 'True' };
  return {
    type: 'ContainersReady',
    status: 'False',
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${names(unready)}]`,
  };
}

function ready(input: ConditionInput): Draft {
  const inner = containersReady(input);
  if (inner.status !== 'True') return { ...inner, type: 'Ready' };
  const problems = (input.pod.spec?.readinessGates ?? []).flatMap(({ conditionType }) => {
    const gate = input.pod.status?.conditions?.find(({ type }) => type === conditionType);
    if (!gate) return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    return gate.status === 'True'
      ? []
      : [`the status of pod readiness gate "${conditionType}" is not "True", but ${gate.status}`];
  });
  if (problems.length === 0) return { type: 'Ready', status: 'True' };
  return { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady', message: problems.join(', ') };
}

function isOver(phase: PodPhase): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}

function names(containers: readonly ContainerView[]): string {
  return containers.map(({ name }) => name).join(' ');
}

function text(value: boolean): string {
  return value ? 'True' : 'False';
}
