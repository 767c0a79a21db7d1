import type { JsonObject, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject, parseApiVersion } from '@hypershift-ts/kube-apimachinery';
import { feedbackValue } from '../expression/index.ts';
import { newestOf } from './generation.ts';

/** Which manifest inside a ManifestWork is meant. */
export interface NestedQuery {
  readonly namespace?: string;
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** A manifest of a ManifestWork with what the agent reported about it. */
export function findNested(work: UnstructuredObject, query: NestedQuery): UnstructuredObject | undefined {
  const spec = isJsonObject(work['spec']) ? work['spec'] : {};
  const workload = isJsonObject(spec['workload']) ? spec['workload'] : {};
  const manifests = Array.isArray(workload['manifests']) ? (workload['manifests'] as readonly unknown[]) : [];
  const found = newestOf(manifests.filter(isKubeObject).filter((manifest) => matches(manifest, query)));
  return found && { ...found, ...reportOf(work, found) };
}

function isKubeObject(value: unknown): value is UnstructuredObject {
  return isJsonObject(value) && isJsonObject(value['metadata']) && typeof value['kind'] === 'string';
}

function matches({ metadata }: UnstructuredObject, { namespace, name, labels }: NestedQuery): boolean {
  if (namespace !== undefined && namespace !== '' && namespace !== '*' && metadata.namespace !== namespace)
    return false;
  if (name !== undefined) return metadata.name === name;
  return Object.entries(labels ?? {}).every(([key, value]) => metadata.labels?.[key] === value);
}

/** `statusFeedback` and `conditions` of the entry for a manifest, matched by group and kind as well as by name. */
function reportOf(work: UnstructuredObject, manifest: UnstructuredObject): JsonObject {
  const status = isJsonObject(work['status']) ? work['status'] : {};
  const resources = isJsonObject(status['resourceStatus']) ? status['resourceStatus'] : {};
  const entries = Array.isArray(resources['manifests']) ? (resources['manifests'] as readonly unknown[]) : [];
  const { group } = parseApiVersion(manifest.apiVersion);
  const entry = entries.filter(isJsonObject).find(({ resourceMeta: meta }) => {
    if (!isJsonObject(meta)) return false;
    const isKind = (meta['kind'] ?? manifest.kind) === manifest.kind && (meta['group'] ?? group) === group;
    return (
      isKind &&
      meta['name'] === manifest.metadata.name &&
      (meta['namespace'] || undefined) === manifest.metadata.namespace
    );
  });
  if (!entry) return {};
  return {
    ...(entry['statusFeedback'] === undefined ? {} : { statusFeedback: entry['statusFeedback'] }),
    ...(entry['conditions'] === undefined ? {} : { conditions: entry['conditions'] }),
  };
}

/** Shows the feedback value of a name as the object's status; an empty one when it is missing or cut off. */
export function withFeedbackStatus(object: UnstructuredObject, name: string): UnstructuredObject {
  const value = feedbackValue(object['statusFeedback'], name);
  return { ...object, status: isJsonObject(value) ? value : {} };
}
