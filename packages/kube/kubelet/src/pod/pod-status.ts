import { type corev1, formatTime, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { ContainerExit, ContainerView } from './container-state.ts';
import { podConditions } from './pod-conditions.ts';
import { type PodPhase, phaseOf } from './pod-phase.ts';

export interface StatusInput {
  readonly pod: corev1.Pod;
  readonly containers: readonly ContainerView[];
  readonly prepared: boolean;
  readonly podIP: string | undefined;
  readonly hostIP: string;
  readonly startMs: number;
  /** The end of the pod decided from outside its containers: a deadline, a refusal, a deletion. */
  readonly verdict?: { readonly phase: PodPhase; readonly reason?: string; readonly message?: string };
  readonly nowMs: number;
}

/** The fields of a pod's status that belong to the kubelet. Null takes a field away. */
export interface OwnedStatus {
  readonly [field: string]: unknown;
  readonly phase: PodPhase;
  readonly conditions: readonly corev1.PodCondition[];
}

/** What the kubelet has to say about a pod. */
export function desiredPodStatus(input: StatusInput): OwnedStatus {
  const { pod, verdict, podIP, hostIP } = input;
  const phase = verdict?.phase ?? phaseOf(restartPolicyOf(pod), input.containers);
  const statuses = input.containers.map((container) => ({ container, status: containerStatus(container) }));
  const init = statuses.filter(({ container }) => container.role !== 'main');
  return {
    phase,
    conditions: podConditions({ ...input, phase, now: formatTime(input.nowMs) }),
    hostIP,
    hostIPs: [{ ip: hostIP }],
    ...(podIP ? { podIP, podIPs: [{ ip: podIP }] } : {}),
    startTime: pod.status?.startTime ?? formatTime(input.startMs),
    reason: verdict?.reason ?? null,
    message: verdict?.message ?? null,
    ...(init.length > 0 ? { initContainerStatuses: init.map(({ status }) => status) } : {}),
    containerStatuses: statuses.filter(({ container }) => container.role === 'main').map(({ status }) => status),
    ...(pod.metadata.generation ? { observedGeneration: pod.metadata.generation } : {}),
  };
}

/**
 * The strategic merge patch that makes the server's status say what the kubelet says, or undefined when it does. Conditions
 * merge by type, so those of others survive even when they were set a moment ago.
 */
export function statusPatch(live: corev1.Pod, desired: OwnedStatus): object | undefined {
  const current = (live.status ?? {}) as { readonly [field: string]: unknown };
  const changes: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(desired)) {
    if (field === 'conditions') continue;
    if (value === null ? current[field] !== undefined : !jsonEqual(current[field], value)) changes[field] = value;
  }
  const conditions = desired.conditions.filter(
    (condition) =>
      !jsonEqual(withoutProbeTime(live.status?.conditions?.find(({ type }) => type === condition.type)), condition),
  );
  if (conditions.length > 0) {
    // Fields that vanish from a merged list element must be taken away by name.
    changes['conditions'] = conditions.map((condition) => ({ reason: null, message: null, ...condition }));
  }
  return Object.keys(changes).length > 0 ? changes : undefined;
}

function withoutProbeTime(condition: corev1.PodCondition | undefined): object | undefined {
  if (!condition) return undefined;
  const { lastProbeTime: _unused, ...rest } = condition;
  return rest;
}

export function restartPolicyOf(pod: corev1.Pod): 'Always' | 'OnFailure' | 'Never' {
  return (pod.spec?.restartPolicy as 'Always' | 'OnFailure' | 'Never' | undefined) ?? 'Always';
}

function containerStatus(view: ContainerView): corev1.ContainerStatus {
  const { phase, last } = view;
  const id = containerIdOf(view);
  return {
    name: view.name,
    image: view.image,
    imageID: id ? view.imageId : '',
    restartCount: view.restartCount,
    ready: view.ready,
    started: view.started,
    lastState: last ? { terminated: terminated(last) } : {},
    state:
      phase.kind === 'running'
        ? { running: { startedAt: formatTime(phase.startedMs) } }
        : phase.kind === 'exited'
          ? { terminated: terminated(phase.exit) }
          : { waiting: { reason: phase.reason, ...(phase.message ? { message: phase.message } : {}) } },
    ...(id ? { containerID: id } : {}),
  };
}

function containerIdOf({ phase, last }: ContainerView): string | undefined {
  if (phase.kind === 'running') return phase.containerId;
  return phase.kind === 'exited' ? phase.exit.containerId : last?.containerId;
}

function terminated(exit: ContainerExit): corev1.ContainerStateTerminated {
  return {
    exitCode: exit.exitCode,
    reason: exit.reason,
    ...(exit.message ? { message: exit.message } : {}),
    startedAt: formatTime(exit.startedMs),
    finishedAt: formatTime(exit.finishedMs),
    containerID: exit.containerId,
  };
}
