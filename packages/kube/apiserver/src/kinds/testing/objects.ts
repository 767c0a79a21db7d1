import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { formatFieldError, jsonClone } from '@hypershift-ts/kube-apimachinery';
import type { Draft, KindBehaviour, WriteScope } from '../behaviour.ts';

export const now = Date.UTC(2026, 5, 1, 12, 0, 0);

export const scope: WriteScope = { now, user: { name: 'alice', groups: ['system:authenticated'] }, dryRun: false };

/** An object created ten minutes before `now`. */
export function anObject(fields: Draft): UnstructuredObject {
  const { metadata, ...rest } = fields;
  return {
    apiVersion: 'v1',
    kind: 'Test',
    metadata: { name: 'thing', creationTimestamp: '2026-06-01T11:50:00Z', ...metadata },
    ...rest,
  };
}

/** What a create request would store, without metadata work. */
export function created(behaviour: KindBehaviour, fields: Draft): UnstructuredObject {
  const draft: Draft = jsonClone(anObject(fields));
  behaviour.defaults?.(draft);
  if (behaviour.status && !behaviour.status.keepOnCreate) delete draft['status'];
  behaviour.prepareForCreate?.(draft, scope);
  return draft as UnstructuredObject;
}

/** What a validation says about an object as a writer would have sent it, with defaults filled in. */
export function faults(behaviour: KindBehaviour, fields: Draft): string[] {
  return (behaviour.validate?.(created(behaviour, fields)) ?? []).map(formatFieldError);
}

/** What an update from one version to the other is told. */
export function updateFaults(behaviour: KindBehaviour, before: Draft, after: Draft): string[] {
  const old = created(behaviour, before);
  const draft: Draft = jsonClone(anObject(after));
  behaviour.defaults?.(draft);
  if (behaviour.status) draft['status'] = old['status'];
  behaviour.prepareForUpdate?.(draft, old, scope);
  const object = draft as UnstructuredObject;
  return [...(behaviour.validate?.(object) ?? []), ...(behaviour.validateUpdate?.(object, old) ?? [])].map(
    formatFieldError,
  );
}

export function cellsOf(behaviour: KindBehaviour, fields: Draft): readonly unknown[] {
  return behaviour.cells?.(anObject(fields), now) ?? [];
}

export function aContainer(fields: Draft = {}): Draft {
  return { name: 'web', image: 'registry.example.com/web:1.2', ...fields };
}

export function aTemplate(fields: Draft = {}): Draft {
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [aContainer()], ...fields } };
}
