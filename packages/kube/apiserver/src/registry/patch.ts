import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  isJsonObject,
  statusErrors,
  type UnstructuredObject,
} from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../kinds/behaviour.ts';
import type { Resource } from '../resource/resource.ts';

/** A decoded PATCH body. */
export interface PatchBody {
  readonly type: 'json' | 'merge' | 'strategic' | 'apply';
  readonly value: unknown;
  /** What strict decoding found wrong with the body itself (duplicate fields). */
  readonly problems: readonly string[];
}

const types: Readonly<Record<string, PatchBody['type']>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
  'application/apply-patch+cbor': 'apply',
};

/** The patch type a Content-Type names; 415 for anything the resource does not take. */
export function patchTypeOf(resource: Resource, contentType: string): PatchBody['type'] {
  const type = types[contentType];
  if (type === undefined || contentType.endsWith('+cbor') || (type === 'strategic' && resource.custom))
    throw statusErrors.unsupportedMediaType([
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/apply-patch+yaml',
      ...(resource.custom ? [] : ['application/strategic-merge-patch+json']),
    ]);
  return type;
}

/** The object after a JSON, merge or strategic merge patch. Shares unchanged parts with `current`. */
export function patched(resource: Resource, current: UnstructuredObject, patch: PatchBody): Draft {
  switch (patch.type) {
    case 'json':
      return applyJsonPatch(current, patch.value) as unknown as Draft;
    case 'merge':
      return applyMergePatch(current, patch.value) as unknown as Draft;
    case 'strategic':
      return applyStrategicMergePatch(current, patch.value, resource.logic.schema) as unknown as Draft;
    case 'apply':
      throw statusErrors.internal('an apply patch is not applied this way');
  }
}

/** Checks that an apply body says what it is an apply of. */
export function applyBody(resource: Resource, value: unknown): Draft {
  if (!isJsonObject(value))
    throw statusErrors.badRequest('error decoding YAML: the apply configuration must be an object');
  const { apiVersion = '', kind = '' } = value;
  if (apiVersion !== resource.apiVersion || kind !== resource.kind) {
    // Objects with a toString of their own are not asked for it.
    const text = (part: unknown): string => (typeof part === 'string' ? part : '');
    const version = text(apiVersion);
    throw statusErrors.badRequest(
      `invalid object type: ${version.includes('/') ? version : `/${version}`}, Kind=${text(kind)}`,
    );
  }
  if (isJsonObject(value['metadata']) && value['metadata']['managedFields'] !== undefined)
    throw statusErrors.badRequest('metadata.managedFields must be nil');
  return value as Draft;
}
