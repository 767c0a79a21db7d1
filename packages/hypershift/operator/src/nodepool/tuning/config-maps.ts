/** What the node tuning operator is given about a pool, in the namespace of its control plane. */
import { labels, type NodePool } from '@hypershift-ts/hypershift-api';
import { type ConfigSource, derivedName, splitDocuments } from '@hypershift-ts/hypershift-ignition';
import { type corev1, decodeYaml, isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { belongsToPool } from '../machines/names.ts';
import type { TuningDocuments } from './documents.ts';

const mostName = 63;

/** User configs that the node tuning operator has to know, by the label that says what they are. */
const mirroredKinds: ReadonlyMap<unknown, string> = new Map([
  ['KubeletConfig', labels.kubeletconfigConfig.key],
  ['ContainerRuntimeConfig', labels.containerruntimeconfigConfig.key],
]);

/** Labels of everything written here; what carries one and is not wanted any more is removed. */
export const ownLabels: readonly string[] = [
  labels.tunedConfig.key,
  labels.performanceprofileConfig.key,
  labels.mirroredConfig.key,
];

function configMap(
  pool: NodePool,
  namespace: string,
  name: string,
  marks: readonly string[],
  data: { readonly [key: string]: string },
): corev1.ConfigMap {
  const own = Object.fromEntries(marks.map((mark) => [mark, 'true']));
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace,
      labels: { ...own, [labels.nodePool.key]: pool.metadata.name ?? '' },
      annotations: belongsToPool(pool),
    },
    data,
  };
}

function mirroredLabel({ data }: ConfigSource): string | undefined {
  for (const text of splitDocuments(data?.['config'] ?? '')) {
    const { value } = decodeYaml(text);
    const label = isJsonObject(value) ? mirroredKinds.get(value['kind']) : undefined;
    if (label) return label;
  }
  return undefined;
}

/** All of them, for a pool with this tuning and these configs of its user. */
export function tuningConfigMaps(
  pool: NodePool,
  namespace: string,
  { tuned, profile }: TuningDocuments,
  user: readonly ConfigSource[],
): readonly corev1.ConfigMap[] {
  const name = pool.metadata.name ?? '';
  const mirrored = user.flatMap((source) => {
    const label = mirroredLabel(source);
    const data = { config: source.data?.['config'] ?? '' };
    return label
      ? [configMap(pool, namespace, derivedName(source.name, name, mostName), [labels.mirroredConfig.key, label], data)]
      : [];
  });
  return [
    ...(tuned
      ? [configMap(pool, namespace, derivedName('tuned', name, mostName), [labels.tunedConfig.key], { tuning: tuned })]
      : []),
    ...(profile
      ? [
          configMap(
            pool,
            namespace,
            derivedName(profile.source, name, mostName),
            [labels.performanceprofileConfig.key],
            { tuning: profile.text },
          ),
        ]
      : []),
    ...mirrored,
  ];
}
