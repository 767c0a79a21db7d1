import { jsonClone, jsonEqual, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../kinds/behaviour.ts';
import type { Resource } from '../resource/resource.ts';
import { scaleView } from '../subresources/scale.ts';
import { convert, type RequestView } from './matching/request-view.ts';

/**
 * Puts a mutated object into the request: decoded and defaulted as if it had been sent so, in the request's own
 * version. `patched` is in the version that matched and belongs to this call. False when nothing changed.
 */
export async function replaceObject(
  view: RequestView,
  matched: Resource,
  before: Draft,
  patched: Draft,
): Promise<boolean> {
  if (jsonEqual(before, patched)) return false;
  const { request } = view;
  if (view.isScale) {
    const { metadata } = request.object as unknown as UnstructuredObject;
    const scaled = scaleView.write(patched, request.object as unknown as UnstructuredObject, request);
    request.object = { ...scaled, metadata: { ...metadata } };
    return true;
  }
  // Who owns which field is no business of admission: what was recorded stays, and is shared and frozen.
  const { managedFields } = before['metadata'];
  delete patched['metadata'].managedFields;
  matched.logic.normalise(patched);
  matched.logic.defaults(patched);
  if (managedFields !== undefined) patched['metadata'].managedFields = managedFields;
  request.object =
    matched === request.resource
      ? patched
      : jsonClone((await convert(matched, request.resource, patched as unknown as UnstructuredObject)) as Draft);
  view.forgetVersions();
  return true;
}
