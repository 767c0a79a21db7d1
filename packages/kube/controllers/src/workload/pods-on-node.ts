import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';

const nodeIndex = 'node';

/** The pods bound to a node. */
export function podsOnNode(cache: InformerCache, node: string): corev1.Pod[] {
  const informer = cache.informer(core.pods);
  informer.addIndex(nodeIndex, ({ spec }) => (spec.nodeName ? [spec.nodeName] : []));
  return informer.byIndex(nodeIndex, node);
}
