import {
  compileLabelSelector,
  fieldError,
  statusErrors,
  type UnstructuredObject,
} from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../kinds/behaviour.ts';
import { draftOf } from '../registry/draft.ts';
import type { Target } from '../registry/registry.ts';
import type { View } from './subresource.ts';

/** autoscaling/v1 Scale over the paths a resource names: what `kubectl scale` and autoscalers use. */
export const scaleView: View = {
  form: 'view',
  read(object, target) {
    const paths = target.resource.logic.scale!;
    const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
    const selector = paths.selector === undefined ? undefined : selectorText(valueAt(object, paths.selector));
    return {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name, ...(namespace ? { namespace } : {}), uid, resourceVersion, creationTimestamp },
      spec: { replicas: numberAt(object, paths.specReplicas) },
      status: { replicas: numberAt(object, paths.statusReplicas), ...(selector ? { selector } : {}) },
    } as unknown as UnstructuredObject;
  },
  write(view, old, target) {
    const replicas = replicasOf(view, target);
    const draft = draftOf(old);
    setAt(draft, target.resource.logic.scale!.specReplicas, replicas);
    draft['metadata'].resourceVersion = view['metadata']?.resourceVersion;
    if (view['metadata']?.uid) draft['metadata'].uid = view['metadata'].uid;
    return draft;
  },
};

function replicasOf(view: Draft, target: Target): number {
  const replicas = view['spec']?.replicas ?? 0;
  if (!Number.isSafeInteger(replicas)) throw statusErrors.badRequest('Scale.spec.replicas must be an integer');
  if (replicas < 0)
    throw statusErrors.invalid({ group: 'autoscaling', kind: 'Scale' }, target.name, [
      fieldError.invalid('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  return replicas;
}

function selectorText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value ? compileLabelSelector(value as Parameters<typeof compileLabelSelector>[0]).toString() : '';
}

function valueAt(object: unknown, path: string): unknown {
  let value = object;
  for (const key of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[key];
  return value;
}

function numberAt(object: unknown, path: string): number {
  const value = valueAt(object, path);
  return typeof value === 'number' ? value : 0;
}

function setAt(draft: Draft, path: string, value: unknown): void {
  const keys = path.split('.');
  let parent = draft;
  for (const key of keys.slice(0, -1)) parent = parent[key] = { ...parent[key] };
  parent[keys.at(-1)!] = value;
}
