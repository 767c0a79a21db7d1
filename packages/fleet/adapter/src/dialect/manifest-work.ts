import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject, parseApiVersion } from '@hypershift-ts/kube-apimachinery';
import { textOf } from './text.ts';

export const GENERATION_ANNOTATION = 'hyperfleet.io/generation';

/** The generation of the event, which every configuration can name. */
const GENERATION_TEMPLATE = '{{ .event.generation }}';

/** A manifest whose metadata carries the generation that decides between create, update and skip. */
export function withGeneration(manifest: JsonObject): JsonObject {
  const metadata = isJsonObject(manifest['metadata']) ? manifest['metadata'] : {};
  const annotations = isJsonObject(metadata['annotations']) ? metadata['annotations'] : {};
  if (annotations[GENERATION_ANNOTATION] !== undefined) return manifest;
  return {
    ...manifest,
    metadata: { ...metadata, annotations: { ...annotations, [GENERATION_ANNOTATION]: GENERATION_TEMPLATE } },
  };
}

/** A HostedCluster without identity is the cluster's own, in the namespace all of them live in. */
function withIdentity(manifest: JsonObject): JsonObject {
  const metadata = isJsonObject(manifest['metadata']) ? manifest['metadata'] : {};
  if (metadata['name'] !== undefined) return manifest;
  const namespace = manifest['kind'] === 'HostedCluster' ? { namespace: 'clusters' } : {};
  return { ...manifest, metadata: { name: '{{ .clusterName }}', ...namespace, ...metadata } };
}

/** A manifest packed for delivery to another cluster, and how to find it again inside. */
export interface Wrapped {
  readonly work: JsonObject;
  readonly workName: string;
  readonly name: string;
  readonly namespace: string | undefined;
}

/** Packs a manifest into a ManifestWork that reports the object's status back. */
export function wrapInManifestWork(manifest: JsonObject, targetCluster: string): Wrapped {
  const inner = withGeneration(withIdentity(manifest));
  const metadata = inner['metadata'] as JsonObject;
  const kind = textOf(inner['kind']);
  const name = textOf(metadata['name']);
  const namespace = typeof metadata['namespace'] === 'string' ? metadata['namespace'] : undefined;
  const workName = `${kind.toLowerCase()}-{{ .clusterId }}`;
  const { group } = parseApiVersion(textOf(inner['apiVersion']));
  const identifier = { group, resource: pluralOf(kind), ...(namespace === undefined ? {} : { namespace }), name };
  const work = withGeneration({
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'ManifestWork',
    metadata: {
      name: workName,
      namespace: targetCluster,
      labels: { 'hyperfleet.io/cluster-id': '{{ .clusterId }}', 'hyperfleet.io/adapter': '{{ .adapter.name }}' },
    },
    spec: {
      workload: { manifests: [inner] },
      deleteOption: { propagationPolicy: 'Foreground' },
      manifestConfigs: [
        {
          resourceIdentifier: identifier,
          updateStrategy: { type: 'ServerSideApply' },
          feedbackRules: [{ type: 'JSONPaths', jsonPaths: feedbackPaths(kind) }],
        },
      ],
    },
  });
  return { work, workName, name, namespace };
}

function condition(type: string, field: string): string {
  return `.status.conditions[?(@.type=="${type}")].${field}`;
}

/** The whole status first; the scalars serve where agents limit or refuse raw JSON. */
function feedbackPaths(kind: string): readonly JsonObject[] {
  const whole = { name: 'status', path: '.status' };
  if (kind !== 'HostedCluster') return [whole];
  return [
    whole,
    { name: 'available', path: condition('Available', 'status') },
    { name: 'progressing', path: condition('Progressing', 'status') },
    { name: 'degraded', path: condition('Degraded', 'status') },
    { name: 'degradedMessage', path: condition('Degraded', 'message') },
    { name: 'controlPlaneHost', path: '.status.controlPlaneEndpoint.host' },
    { name: 'controlPlanePort', path: '.status.controlPlaneEndpoint.port' },
    { name: 'version', path: '.status.version.history[0].version' },
  ];
}

function pluralOf(kind: string): string {
  const lower = kind.toLowerCase();
  if (/(?:s|x|z|ch|sh)$/.test(lower)) return `${lower}es`;
  return /[^aeiou]y$/.test(lower) ? `${lower.slice(0, -1)}ies` : `${lower}s`;
}
