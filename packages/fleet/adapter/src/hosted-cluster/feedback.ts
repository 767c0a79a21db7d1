import type { JsonObject, JsonValue, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { feedbackValue } from '../expression/index.ts';

/**
 * The status of the HostedCluster inside a ManifestWork, from the feedback of its agent. The whole status counts when
 * it came through; an agent that refuses or cuts raw JSON still sends the scalars. Empty when there is neither.
 */
export function extractStatusFromManifestWorkFeedback(work: UnstructuredObject | undefined): JsonObject {
  const feedback = feedbackOf(work);
  const whole = feedbackValue(feedback, 'status');
  return isJsonObject(whole) ? whole : fromScalars(feedback);
}

function feedbackOf(work: UnstructuredObject | undefined): unknown {
  const status = isJsonObject(work?.['status']) ? work['status'] : {};
  const resources = isJsonObject(status['resourceStatus']) ? status['resourceStatus'] : {};
  const manifests: readonly unknown[] = Array.isArray(resources['manifests']) ? resources['manifests'] : [];
  const entries = manifests.filter(isJsonObject);
  const entry =
    entries.find(({ resourceMeta: meta }) => isJsonObject(meta) && meta['kind'] === 'HostedCluster') ?? entries[0];
  // Some documents spell the key in the plural.
  return entry?.['statusFeedback'] ?? entry?.['statusFeedbacks'];
}

const CONDITIONS: readonly (readonly [type: string, name: string, message?: string])[] = [
  ['Available', 'available'],
  ['Progressing', 'progressing'],
  ['Degraded', 'degraded', 'degradedMessage'],
];

function fromScalars(feedback: unknown): JsonObject {
  const read = (name: string): JsonValue => feedbackValue(feedback, name) as JsonValue;
  const conditions = CONDITIONS.flatMap(([type, name, message]) => {
    const status = read(name);
    if (typeof status !== 'string' || status === '') return [];
    return [{ type, status, ...(message === undefined ? {} : { message: read(message) }) }];
  });
  const [host, port, version] = [read('controlPlaneHost'), read('controlPlanePort'), read('version')];
  return {
    conditions,
    ...(typeof host === 'string' && host !== '' ? { controlPlaneEndpoint: { host, port } } : {}),
    ...(typeof version === 'string' && version !== '' ? { version } : {}),
  };
}
