import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { ContainerRuntime } from './container-runtime.ts';

/** Asks for simulation of a whole pod, whatever could run it. */
export const simulateAnnotation = 'hypershift-ts.io/simulate';
/** Says that at least one container of the pod is simulated. */
export const runtimeAnnotation = 'hypershift-ts.io/runtime';
/** Names the simulated ones when only some are. */
export const simulatedContainersAnnotation = 'hypershift-ts.io/simulated-containers';

/**
 * Picks the first runtime that can run a container; the order is the caller's: builtin, process, simulated. A pod whose
 * first container can only be simulated is simulated whole: what stands beside it would wait for it, or serve nobody.
 */
export function runtimeFor(
  runtimes: readonly ContainerRuntime[],
  pod: corev1.Pod,
  container: corev1.Container,
): ContainerRuntime | undefined {
  const able = (one: corev1.Container) => runtimes.find((runtime) => runtime.accepts(one, pod));
  const main = pod.spec?.containers[0];
  const isSimulated =
    pod.metadata.annotations?.[simulateAnnotation] === 'true' || (main && able(main)?.name === 'simulated');
  return isSimulated
    ? runtimes.find((runtime) => runtime.name === 'simulated' && runtime.accepts(container, pod))
    : able(container);
}

/** The annotations that make simulation visible, or undefined when nothing of the pod is simulated. */
export function simulationAnnotations(
  containers: readonly { readonly name: string; readonly runtime: ContainerRuntime | undefined }[],
): Record<string, string> | undefined {
  const simulated = containers.filter(({ runtime }) => runtime?.name === 'simulated').map(({ name }) => name);
  if (simulated.length === 0) return undefined;
  const some = simulated.length < containers.length ? { [simulatedContainersAnnotation]: simulated.join(',') } : {};
  return { [runtimeAnnotation]: 'simulated', ...some };
}
