import { labels } from '@hypershift-ts/hypershift-api';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { kept, removed } from '../guest/guest-object.ts';
import type { ResourceGroup } from './inputs.ts';

const namespace = 'openshift-config-managed';
const mark = labels.kubeletconfigConfig.key;

/** Kubelet settings of node pools, for the operators of the hosted cluster that place pods by them. */
export const kubeletConfigs: ResourceGroup = {
  name: 'kubelet-configs',
  objects({ configMaps, seenAll }) {
    const sources = configMaps().filter(({ metadata }) => metadata.labels?.[mark] === 'true');
    const copies = sources.map(({ metadata, data }) => {
      const pool = metadata.labels?.[labels.nodePool.key];
      const copied = { [mark]: 'true', [labels.mirroredConfig.key]: 'true' };
      return kept(
        corev1.configmaps,
        { namespace, name: metadata.name ?? '' },
        { data },
        { labels: { ...copied, ...(pool ? { [labels.nodePool.key]: pool } : {}) } },
      );
    });
    const names = new Set(sources.map(({ metadata }) => metadata.name));
    const stale = seenAll(corev1.configmaps).filter(
      ({ metadata }) =>
        metadata.namespace === namespace && metadata.labels?.[mark] === 'true' && !names.has(metadata.name),
    );
    return [
      ...copies,
      ...stale.map(({ metadata }) => removed(corev1.configmaps, { namespace, name: metadata.name ?? '' })),
    ];
  },
};
