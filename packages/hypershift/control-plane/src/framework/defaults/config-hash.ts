import { createHash } from 'node:crypto';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Lookup } from '../context.ts';

/** Read again by the processes themselves when it changes, so a new one needs no restart. */
const reloadedWhileRunning: ReadonlySet<string> = new Set(['client-ca']);

/**
 * Hash over names, keys and values of everything the pods mount, so that any change of configuration rolls them.
 * Unlike a hash over values alone, it notices two values that change places and keys that are renamed.
 */
export function configHashOf(volumes: readonly corev1.Volume[] | undefined, lookup: Lookup): string {
  const sources = new Map<string, Readonly<Record<string, string>>>();
  for (const { secret, configMap } of volumes ?? []) {
    if (secret?.secretName) {
      const found = lookup.get(corev1.secrets, secret.secretName);
      if (found) sources.set(`secret/${secret.secretName}`, found.data ?? {});
    }
    if (configMap?.name && !reloadedWhileRunning.has(configMap.name)) {
      const found = lookup.get(corev1.configmaps, configMap.name);
      if (found) sources.set(`configmap/${configMap.name}`, { ...found.data, ...found.binaryData });
    }
  }
  if (sources.size === 0) return '';
  const hash = createHash('sha256');
  for (const [name, data] of [...sources].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(
      JSON.stringify([
        name,
        Object.keys(data)
          .sort()
          .map((key) => [key, data[key]]),
      ]),
    );
  }
  return hash.digest('hex').slice(0, 32);
}
