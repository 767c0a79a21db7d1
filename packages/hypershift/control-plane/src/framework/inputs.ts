import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Lookup } from './context.ts';

/**
 * Secrets and ConfigMaps that the pods cannot start without and that do not exist yet. A workload made before them
 * would be rolled once more when they appear, because the hash of its configuration changes.
 */
export function missingInputs(volumes: readonly corev1.Volume[] | undefined, lookup: Lookup): readonly string[] {
  const missing = (volumes ?? []).flatMap(({ secret, configMap }) => {
    if (secret?.secretName && !secret.optional && !lookup.get(corev1.secrets, secret.secretName)) {
      return [`Secret ${secret.secretName}`];
    }
    if (configMap?.name && !configMap.optional && !lookup.get(corev1.configmaps, configMap.name)) {
      return [`ConfigMap ${configMap.name}`];
    }
    return [];
  });
  return [...new Set(missing)].sort();
}
