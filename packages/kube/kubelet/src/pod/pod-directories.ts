import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';

/** Everything of a pod but its logs; gone when the pod is. */
export function podDirectory(dataDir: string, pod: corev1.Pod): string {
  return join(dataDir, 'pods', pod.metadata.uid ?? '');
}

export function containerDirectory(podDir: string, container: string): string {
  return join(podDir, 'containers', container);
}

function logDirectory(dataDir: string, { metadata }: corev1.Pod): string {
  return join(dataDir, 'logs', `${metadata.namespace}_${metadata.name}_${metadata.uid}`);
}

/** The log of one run: run 0 is the first, each restart adds one. */
export function logFile(dataDir: string, pod: corev1.Pod, container: string, attempt: number): string {
  return join(logDirectory(dataDir, pod), container, `${attempt}.log`);
}

/** Removes the logs of runs before the previous one. */
export async function dropOldLogs(dataDir: string, pod: corev1.Pod, container: string, attempt: number): Promise<void> {
  const directory = join(logDirectory(dataDir, pod), container);
  for (const name of await readdir(directory).catch(() => [])) {
    const run = Number.parseInt(name, 10);
    if (run < attempt - 1) await rm(join(directory, name), { force: true });
  }
}

export async function removePodFiles(dataDir: string, pod: corev1.Pod): Promise<void> {
  await rm(podDirectory(dataDir, pod), { recursive: true, force: true });
  await rm(logDirectory(dataDir, pod), { recursive: true, force: true });
}

/** Removes what pods left behind that went while no kubelet was there to see it. */
export async function removeOrphans(dataDir: string, isKnown: (uid: string) => boolean): Promise<void> {
  for (const uid of await readdir(join(dataDir, 'pods')).catch(() => []))
    if (!isKnown(uid)) await rm(join(dataDir, 'pods', uid), { recursive: true, force: true });
  for (const name of await readdir(join(dataDir, 'logs')).catch(() => []))
    if (!isKnown(name.slice(name.lastIndexOf('_') + 1)))
      await rm(join(dataDir, 'logs', name), { recursive: true, force: true });
}
