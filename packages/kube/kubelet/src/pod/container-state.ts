import type { corev1 } from '@hypershift-ts/kube-apimachinery';

/** What part a container plays in its pod: init containers run to an end one by one, sidecars start like them but stay. */
export type ContainerRole = 'init' | 'sidecar' | 'main';

/** How a container ended. */
export interface ContainerExit {
  readonly exitCode: number;
  /** `Completed`, `Error`, `StartError`, `Unknown`... */
  readonly reason: string;
  readonly message?: string;
  readonly startedMs: number;
  readonly finishedMs: number;
  readonly containerId: string;
}

/** Where a container is in its life. A waiting one that ended before carries its last exit in `ContainerView.last`. */
export type ContainerPhase =
  | { readonly kind: 'waiting'; readonly reason: string; readonly message?: string }
  | { readonly kind: 'running'; readonly startedMs: number; readonly containerId: string }
  | { readonly kind: 'exited'; readonly exit: ContainerExit };

/** Everything the decisions and the status about one container depend on. */
export interface ContainerView {
  readonly name: string;
  readonly role: ContainerRole;
  readonly phase: ContainerPhase;
  readonly last: ContainerExit | undefined;
  readonly restartCount: number;
  /** Passed its startup probe and its postStart hook. */
  readonly started: boolean;
  readonly ready: boolean;
  readonly image: string;
  readonly imageId: string;
  /** The container was asked to stop and is on its way. */
  readonly stopping: boolean;
}

/** The containers of a pod in the order they start. */
export function containersOf(
  pod: corev1.Pod,
): { readonly container: corev1.Container; readonly role: ContainerRole }[] {
  return [
    ...(pod.spec?.initContainers ?? []).map((container) => ({
      container,
      role: container.restartPolicy === 'Always' ? ('sidecar' as const) : ('init' as const),
    })),
    ...(pod.spec?.containers ?? []).map((container) => ({ container, role: 'main' as const })),
  ];
}

/** `name_namespace(uid)`, as kubelet's messages name a pod. */
export function podText(pod: corev1.Pod): string {
  return `${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})`;
}
