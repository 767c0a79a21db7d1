import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../kinds/behaviour.ts';
import type { Registry, Target, WriteOptions } from '../registry/registry.ts';
import type { RequestContext } from '../request/context.ts';

/** A part of the object that is written through its own path: status, approval, finalize. */
export interface Section {
  readonly form: 'section';
  /** Judged as status, as the whole object, or by `validate` alone. */
  readonly as: 'status' | 'main' | 'custom';
  /** The stored object with only this section taken from the body. */
  readonly take: (body: Draft, old: UnstructuredObject, context: RequestContext) => Draft;
  readonly validate?: (object: UnstructuredObject, old: UnstructuredObject) => readonly FieldError[];
}

/** Another kind that is a view of the object: scale. */
export interface View {
  readonly form: 'view';
  readonly read: (object: UnstructuredObject, target: Target) => UnstructuredObject;
  /** The object after a write to the view. */
  readonly write: (view: Draft, old: UnstructuredObject, target: Target) => Draft;
}

/** A POST that does something: binding, eviction, token. */
export interface Action {
  readonly form: 'action';
  readonly run: (
    registry: Registry,
    context: RequestContext,
    target: Target,
    body: Draft,
    options: WriteOptions,
  ) => Promise<{ readonly code: number; readonly object: object }>;
}

export type Subresource = Section | View | Action;

/** Keyed by `pods/binding`, `deployments.apps/scale`. */
export type SubresourceTable = ReadonlyMap<string, Subresource>;

export function subresourceKey(target: Pick<Target, 'resource' | 'subresource'>): string {
  const { group, resource } = target.resource;
  return `${group === '' ? resource : `${resource}.${group}`}/${target.subresource}`;
}
