import type { JsonObject, JsonValue } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { totalAnnotationSizeLimit } from '../names/index.ts';
import type { ObjectMeta } from '../object.ts';
import { compare } from './compare.ts';
import { extract } from './extract.ts';
import type { FieldSet } from './field-set.ts';
import { difference, emptySet } from './field-set.ts';
import type { ValueType } from './value-type.ts';

/**
 * People move from client-side to server-side apply with the same kubectl. Fields that still are as the last
 * client-side apply left them may be taken over without a conflict, and the annotation is kept current so that they
 * can move back.
 */
const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

function annotationOf(object: object): string {
  const meta = (object as { metadata?: ObjectMeta }).metadata;
  return meta?.annotations?.[lastAppliedAnnotation] ?? '';
}

/** The fields that are still as the annotation of the live object has them. */
export function fieldsFromLastApplied(live: object, type: ValueType, apiVersion: string): FieldSet {
  const text = annotationOf(live);
  if (text === '') return emptySet;
  let applied: unknown;
  try {
    applied = JSON.parse(text);
  } catch {
    return emptySet;
  }
  if (!isJsonObject(applied) || applied['apiVersion'] !== apiVersion) return emptySet;
  const changed = compare(applied, live as JsonObject, type);
  const unmodified = difference(difference(extract(applied, type), changed.modified), changed.added);
  return difference(unmodified, changed.removed);
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => sorted(item));
  if (!isJsonObject(value)) return value;
  const result: Record<string, JsonValue> = {};
  for (const key of Object.keys(value).sort()) result[key] = sorted(value[key] ?? null);
  return result;
}

function lastAppliedText(config: JsonObject): string {
  const meta = config['metadata'] as { annotations?: Record<string, string> } | undefined;
  const { [lastAppliedAnnotation]: _, ...annotations } = meta?.annotations ?? {};
  const metadata = meta?.annotations === undefined ? meta : { ...meta, annotations };
  const text = JSON.stringify(sorted({ ...config, ...(metadata ? { metadata: metadata as JsonObject } : {}) }));
  return `${text.replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`)}\n`;
}

/** Brings the annotation up to date where there is one; drops it where it would grow too large. */
export function withLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  if (annotationOf(object) === '') return object;
  const metadata = object['metadata'] as JsonObject;
  const { [lastAppliedAnnotation]: _, ...others } = metadata['annotations'] as Record<string, string>;
  const text = lastAppliedText(config);
  let size = Buffer.byteLength(lastAppliedAnnotation) + Buffer.byteLength(text);
  for (const key in others) size += Buffer.byteLength(key) + Buffer.byteLength(others[key] ?? '');
  const annotations = size > totalAnnotationSizeLimit ? others : { ...others, [lastAppliedAnnotation]: text };
  return { ...object, metadata: { ...metadata, annotations } };
}
