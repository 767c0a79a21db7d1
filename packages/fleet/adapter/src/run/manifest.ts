import type { JsonObject, JsonValue, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { decodeYaml, errorMessage, isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { ManifestConfig } from '../config/task-config.ts';
import type { RunContext } from './context.ts';
import { PermanentError } from './failure.ts';

/**
 * The object that a manifest stands for. Texts of a map are rendered one by one, so that no value can change the
 * structure around it; a manifest written as one text is rendered as a whole and read afterwards.
 */
export function renderManifest(context: RunContext, manifest: ManifestConfig): UnstructuredObject {
  const value =
    typeof manifest === 'string' ? decoded(context.render(manifest)) : renderValue(context, manifest as JsonObject);
  if (!isJsonObject(value)) throw new PermanentError('the manifest is no map');
  const { apiVersion, kind, metadata } = value;
  if (typeof apiVersion !== 'string' || apiVersion === '') throw new PermanentError('the manifest has no apiVersion');
  if (typeof kind !== 'string' || kind === '') throw new PermanentError('the manifest has no kind');
  if (!isJsonObject(metadata) || typeof metadata['name'] !== 'string' || metadata['name'] === '')
    throw new PermanentError(`the manifest of kind ${kind} has no metadata.name`);
  return value as unknown as UnstructuredObject;
}

function decoded(text: string): JsonValue {
  try {
    return decodeYaml(text, { plainBooleans: true }).value;
  } catch (error) {
    throw new PermanentError(`the rendered manifest is not YAML: ${errorMessage(error)}`);
  }
}

/** A value with every text and key rendered. */
function renderValue(context: RunContext, value: JsonValue): JsonValue {
  if (typeof value === 'string') return context.render(value);
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => renderValue(context, item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      context.render(key),
      item === undefined ? null : renderValue(context, item),
    ]),
  );
}

/** Which kind a manifest is of, without rendering all of it: the rest may use what is not known yet. */
export function manifestKind(
  context: RunContext,
  manifest: ManifestConfig,
): { readonly apiVersion: string; readonly kind: string } {
  const read = (field: 'apiVersion' | 'kind'): string => {
    const written = typeof manifest === 'string' ? lineOf(manifest, field) : (manifest as JsonObject)[field];
    if (typeof written !== 'string' || written === '') throw new PermanentError(`the manifest has no ${field}`);
    return context.render(written);
  };
  return { apiVersion: read('apiVersion'), kind: read('kind') };
}

function lineOf(text: string, field: string): string | undefined {
  return new RegExp(`^${field}:\\s*(.+?)\\s*(?:#.*)?$`, 'm').exec(text)?.[1]?.replace(/^(['"])(.*)\1$/, '$2');
}
