import { describe, expect, it } from 'vitest';
import { builtinSchema } from '../builtin/index.ts';
import { deepFreeze } from '../json.ts';
import type { ManagedFieldsEntry } from '../object.ts';
import type { Schema } from '../schema-types.ts';
import { applyConfiguration, fieldSetOf, keepTimestamps, trackUpdate } from './index.ts';
import { aWorkload, workloadSchema } from './testing/schemas.ts';

const noon = Date.UTC(2026, 0, 1, 12);
const base = { schema: workloadSchema, manager: 'editor', apiVersion: 'apps/v1', now: noon };

function stored(object: object, managedFields: readonly ManagedFieldsEntry[] | undefined) {
  return deepFreeze({
    ...object,
    metadata: { name: 'web', uid: 'u', resourceVersion: '1', ...(managedFields ? { managedFields } : {}) },
  });
}

describe('trackUpdate', () => {
  it('When an object is created, it should give every field and container to the creator', () => {
    const updated = aWorkload({ replicas: 1, template: { spec: { containers: [{ name: 'c', image: 'i' }] } } });
    expect(trackUpdate({ ...base, live: undefined, updated })).toEqual([
      {
        manager: 'editor',
        operation: 'Update',
        apiVersion: 'apps/v1',
        time: '2026-01-01T12:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:spec': {
            'f:replicas': {},
            'f:template': {
              '.': {},
              'f:spec': {
                '.': {},
                'f:containers': { '.': {}, 'k:{"name":"c"}': { '.': {}, 'f:image': {}, 'f:name': {} } },
              },
            },
          },
        },
      },
    ]);
  });

  it('When nothing changes, it should return the stored array itself', () => {
    const object = aWorkload({ replicas: 1 });
    const live = stored(object, trackUpdate({ ...base, live: undefined, updated: object }));
    const updated = JSON.parse(JSON.stringify(live)) as object;
    expect(trackUpdate({ ...base, live, updated, manager: 'other', now: noon + 1000 })).toBe(
      live.metadata.managedFields,
    );
  });

  it('When another manager changes a field, it should move to that manager', () => {
    const object = aWorkload({ replicas: 1, paused: true });
    const live = stored(object, trackUpdate({ ...base, live: undefined, updated: object }));
    const updated = { ...live, spec: { replicas: 2, paused: true } };
    const entries = trackUpdate({ ...base, live, updated, manager: 'other', now: noon + 1000 });
    expect(entries?.map(({ manager, fieldsV1 }) => [manager, fieldsV1])).toEqual([
      ['editor', { 'f:spec': { 'f:paused': {} } }],
      ['other', { 'f:spec': { 'f:replicas': {} } }],
    ]);
    expect(entries?.[0]?.time).toBe('2026-01-01T12:00:00Z');
  });

  it('When a field is removed, it should belong to nobody', () => {
    const object = aWorkload({ replicas: 1, paused: true });
    const live = stored(object, trackUpdate({ ...base, live: undefined, updated: object }));
    const entries = trackUpdate({ ...base, live, updated: { ...live, spec: { replicas: 1 } }, manager: 'other' });
    expect(entries).toMatchObject([{ manager: 'editor', fieldsV1: { 'f:spec': { 'f:replicas': {} } } }]);
    expect(entries?.[0]?.fieldsV1).not.toHaveProperty(['f:spec', 'f:paused']);
  });

  it('When the status endpoint is written, it should be another owner and ignore the spec', () => {
    const object = aWorkload({ replicas: 1 });
    const live = stored(object, trackUpdate({ ...base, live: undefined, updated: object }));
    const updated = { ...live, spec: { replicas: 9 }, status: { replicas: 1 } };
    const resetFields = fieldSetOf([['spec']]);
    const entries = trackUpdate({ ...base, live, updated, subresource: 'status', resetFields });
    expect(entries).toHaveLength(2);
    expect(entries?.[0]).toBe(live.metadata.managedFields?.[0]);
    expect(entries?.[1]).toMatchObject({
      manager: 'editor',
      subresource: 'status',
      fieldsV1: { 'f:status': { '.': {}, 'f:replicas': {} } },
    });
  });

  it('When an applied field is changed by an update, it should leave the applier', () => {
    const { object } = applyConfiguration({
      ...base,
      live: undefined,
      config: aWorkload({ replicas: 1 }),
      manager: 'alice',
    });
    const live = stored(
      object,
      (object as { metadata: { managedFields: ManagedFieldsEntry[] } }).metadata.managedFields,
    );
    const entries = trackUpdate({ ...base, live, updated: { ...live, spec: { replicas: 2 } } });
    expect(entries?.map(({ manager, operation }) => `${manager} ${operation}`)).toEqual(['editor Update']);
  });

  it.each([[[]], [[{}]]])('When the writer sends managedFields %j, it should forget all owners', (managedFields) => {
    const object = aWorkload({ replicas: 1 });
    const live = stored(object, trackUpdate({ ...base, live: undefined, updated: object }));
    const updated = { ...live, metadata: { ...live.metadata, managedFields } };
    expect(trackUpdate({ ...base, live, updated })).toBeUndefined();
  });

  it('When the writer sends managedFields that make no sense, it should use the stored ones', () => {
    const object = aWorkload({ replicas: 1 });
    const live = stored(object, trackUpdate({ ...base, live: undefined, updated: object }));
    const broken = [
      { manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'k:{': {} } },
    ];
    const updated = { ...live, metadata: { ...live.metadata, managedFields: broken } };
    expect(trackUpdate({ ...base, live, updated })).toBe(live.metadata.managedFields);
  });

  it('When nobody tracks an object, it should stay untracked', () => {
    const live = stored(aWorkload({ replicas: 1 }), undefined);
    expect(trackUpdate({ ...base, live, updated: { ...live, spec: { replicas: 2 } } })).toBeUndefined();
  });

  it('When more than ten update managers exist, it should fold the oldest into one', () => {
    let live = stored(
      aWorkload({ tags: [] as string[] }),
      trackUpdate({ ...base, live: undefined, updated: aWorkload({ tags: [] }) }),
    );
    for (let i = 0; i < 14; i++) {
      const updated = {
        ...live,
        spec: { tags: [...(live as unknown as { spec: { tags: string[] } }).spec.tags, `t${i}`] },
      };
      live = stored(updated, trackUpdate({ ...base, live, updated, manager: `m${i}`, now: noon + i * 1000 + 1000 }));
    }
    const entries = live.metadata.managedFields ?? [];
    expect(entries).toHaveLength(10);
    expect(entries[0]?.manager).toBe('ancient-changes');
    expect(entries.at(-1)?.manager).toBe('m13');
  });
});

describe('trackUpdate of a built-in kind', () => {
  it('When kubectl creates a Deployment, it should record what a real API server records', () => {
    const labels = { app: 'web' };
    const updated = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'default', labels },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: 'nginx', image: 'nginx', resources: {} }], restartPolicy: 'Always' },
        },
      },
    };
    const schema = builtinSchema({ group: 'apps', version: 'v1', kind: 'Deployment' }) as Schema;
    const entries = trackUpdate({ ...base, schema, live: undefined, updated, manager: 'kubectl-create' });
    expect(entries?.[0]?.fieldsV1).toEqual({
      'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
      'f:spec': {
        'f:replicas': {},
        'f:selector': {},
        'f:strategy': { 'f:rollingUpdate': { '.': {}, 'f:maxSurge': {}, 'f:maxUnavailable': {} }, 'f:type': {} },
        'f:template': {
          'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
          'f:spec': {
            'f:containers': { 'k:{"name":"nginx"}': { '.': {}, 'f:image': {}, 'f:name': {}, 'f:resources': {} } },
            'f:restartPolicy': {},
          },
        },
      },
    });
    const live = stored(updated, entries);
    const status = trackUpdate({
      ...base,
      schema,
      live,
      updated: { ...live, status: { observedGeneration: 1 } },
      manager: 'kube-controller-manager',
      now: noon + 1000,
      subresource: 'status',
    });
    expect(status?.[1]?.fieldsV1).toEqual({ 'f:status': { 'f:observedGeneration': {} } });
  });
});

describe('keepTimestamps', () => {
  it('When only times differ, it should keep the old entries', () => {
    const entry: ManagedFieldsEntry = { manager: 'a', operation: 'Apply', time: '2026-01-01T00:00:00Z' };
    const live = [entry];
    expect(keepTimestamps([{ ...entry, time: '2027-01-01T00:00:00Z' }], live)).toBe(live);
    const other = [{ ...entry, manager: 'b' }];
    expect(keepTimestamps(other, live)).toBe(other);
  });
});
