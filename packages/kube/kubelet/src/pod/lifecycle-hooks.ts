import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { delay } from '@hypershift-ts/kube-apimachinery';
import { type ProbeTarget, runAction } from '../probes/probe-actions.ts';

/** Runs a postStart or preStop hook; answers why it failed, or undefined. Ends early when the signal aborts. */
export async function runHook(
  hook: corev1.LifecycleHandler,
  target: ProbeTarget,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (hook.sleep) {
    await delay(target.clock, Math.min(hook.sleep.seconds * 1000, timeoutMs), signal);
    return undefined;
  }
  const { exec, httpGet, tcpSocket } = hook;
  if (target.running.answersProbes) return undefined;
  const action = { ...(exec ? { exec } : {}), ...(httpGet ? { httpGet } : {}), ...(tcpSocket ? { tcpSocket } : {}) };
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const result = await Promise.race([runAction(action, target, timeoutMs), aborted]);
  return result && !result.ok ? result.message : undefined;
}
