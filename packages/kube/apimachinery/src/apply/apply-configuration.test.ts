import { describe, expect, it } from 'vitest';
import { deepFreeze } from '../json.ts';
import type { ManagedFieldsEntry } from '../object.ts';
import { StatusError } from '../status.ts';
import { applyConfiguration, fieldSetOf, trackUpdate } from './index.ts';
import type { ApplyOptions } from './index.ts';
import { aWorkload, workloadSchema } from './testing/schemas.ts';

type Result = { metadata: { managedFields?: readonly ManagedFieldsEntry[] }; [field: string]: unknown };
const noon = Date.UTC(2026, 0, 1, 12);
const later = noon + 60_000;

function apply(live: object | undefined, config: object, options: Partial<ApplyOptions> = {}): Result {
  const result = applyConfiguration({
    live: deepFreeze(live),
    config: deepFreeze(config),
    schema: workloadSchema,
    manager: 'alice',
    apiVersion: 'apps/v1',
    now: noon,
    ...options,
  });
  return deepFreeze(result.object) as Result;
}

function update(live: Result | undefined, updated: object, manager = 'editor', now = noon, subresource = ''): Result {
  const managedFields = trackUpdate({
    live,
    updated,
    schema: workloadSchema,
    manager,
    apiVersion: 'apps/v1',
    now,
    subresource,
  });
  const { managedFields: _, ...metadata } = (updated as Result).metadata;
  return deepFreeze({ ...updated, metadata: { ...metadata, uid: 'u', ...(managedFields ? { managedFields } : {}) } });
}

function failure(act: () => unknown): StatusError {
  try {
    act();
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const owned = (object: Result, manager: string) =>
  object.metadata.managedFields?.find((entry) => entry.manager === manager)?.fieldsV1;

describe('applyConfiguration', () => {
  it('When an object is created, it should record the fields in FieldsV1 form', () => {
    const created = apply(
      undefined,
      aWorkload({
        replicas: 2,
        selector: { matchLabels: { a: 'b' } },
        tags: ['x'],
        template: { spec: { containers: [{ name: 'c', image: 'i', args: ['1'], ports: [{ containerPort: 80 }] }] } },
      }),
    );
    expect(created.metadata.managedFields).toEqual([
      {
        manager: 'alice',
        operation: 'Apply',
        apiVersion: 'apps/v1',
        time: '2026-01-01T12:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:spec': {
            'f:replicas': {},
            'f:selector': {},
            'f:tags': { 'v:"x"': {} },
            'f:template': {
              'f:spec': {
                'f:containers': {
                  'k:{"name":"c"}': {
                    '.': {},
                    'f:args': {},
                    'f:image': {},
                    'f:name': {},
                    'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
                  },
                },
              },
            },
          },
        },
      },
    ]);
  });

  it('When the same is applied again, it should return the live object itself', () => {
    const config = aWorkload({ replicas: 2, free: { x: { y: 1 } }, tags: ['b', 'a'] });
    const live = apply(undefined, config);
    const result = applyConfiguration({
      live,
      config,
      schema: workloadSchema,
      manager: 'alice',
      apiVersion: 'apps/v1',
      now: later,
    });
    expect(result).toEqual({ object: live, changed: false });
    expect(result.object).toBe(live);
  });

  it('When a field is no longer applied, it should go if nobody else owns it', () => {
    const live = apply(undefined, aWorkload({ replicas: 2, paused: true, tags: ['a', 'b'] }));
    const next = apply(live, aWorkload({ replicas: 2, tags: ['b'] }), { now: later });
    expect(next['spec']).toEqual({ replicas: 2, tags: ['b'] });
    expect(owned(next, 'alice')).toEqual({ 'f:spec': { 'f:replicas': {}, 'f:tags': { 'v:"b"': {} } } });
  });

  it('When a field is owned by two and one gives it up, it should stay', () => {
    let live = apply(undefined, aWorkload({ replicas: 2, paused: true }));
    live = apply(live, aWorkload({ paused: true }), { manager: 'bob' });
    live = apply(live, aWorkload({ replicas: 2 }), { now: later });
    expect(live['spec']).toEqual({ replicas: 2, paused: true });
    live = apply(live, { apiVersion: 'apps/v1', kind: 'Workload' }, { manager: 'bob' });
    expect(live['spec']).toEqual({ replicas: 2 });
    expect(live.metadata.managedFields).toHaveLength(1);
  });

  it('When a container is removed, it should take its defaults along and leave the others', () => {
    const two = [
      { name: 'a', image: '1' },
      { name: 'b', image: '1' },
    ];
    const live = apply(undefined, aWorkload({ template: { spec: { containers: two } } }));
    const defaulted = {
      ...live,
      spec: { template: { spec: { containers: two.map((c) => ({ ...c, args: ['d'] })) } } },
    };
    const next = apply(defaulted, aWorkload({ template: { spec: { containers: [two[1]] } } }));
    expect(next['spec']).toEqual({ template: { spec: { containers: [{ name: 'b', image: '1', args: ['d'] }] } } });
  });

  it('When somebody else owns a different value, it should be a conflict', () => {
    const live = update(undefined, aWorkload({ replicas: 3 }), 'kubectl-scale');
    const error = failure(() => apply(live, aWorkload({ replicas: 2 })));
    expect(error.toStatus()).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "kubectl-scale" using apps/v1: .spec.replicas',
      details: {
        causes: [
          {
            reason: 'FieldManagerConflict',
            message: 'conflict with "kubectl-scale" using apps/v1',
            field: '.spec.replicas',
          },
        ],
      },
    });
  });

  it('When there are several conflicts, it should list them by manager', () => {
    const containers = [{ name: 'c', image: '1' }];
    let live = apply(undefined, aWorkload({ replicas: 1, template: { spec: { containers } } }));
    live = update(live, { ...live, status: { replicas: 1 } }, 'ctl', noon, 'status');
    const config = aWorkload(
      { replicas: 2, template: { spec: { containers: [{ name: 'c', image: '2' }] } } },
      { status: { replicas: 2 } },
    );
    expect(failure(() => apply(live, config, { manager: 'bob' })).message).toBe(
      [
        'Apply failed with 3 conflicts: conflicts with "alice":',
        '- .spec.replicas',
        '- .spec.template.spec.containers[name="c"].image',
        'conflicts with "ctl" with subresource "status" using apps/v1:',
        '- .status.replicas',
      ].join('\n'),
    );
  });

  it('When forced, it should take the field from its owner', () => {
    const live = update(undefined, aWorkload({ replicas: 3, paused: true }), 'editor');
    const next = apply(live, aWorkload({ replicas: 2 }), { force: true });
    expect(next['spec']).toEqual({ replicas: 2, paused: true });
    expect(owned(next, 'alice')).toEqual({ 'f:spec': { 'f:replicas': {} } });
    expect(owned(next, 'editor')).toEqual({ 'f:spec': { 'f:paused': {} } });
  });

  it('When the value is the same, it should be shared without conflict', () => {
    const live = update(undefined, aWorkload({ replicas: 3 }), 'editor');
    const next = apply(live, aWorkload({ replicas: 3 }));
    expect(owned(next, 'alice')).toEqual({ 'f:spec': { 'f:replicas': {} } });
    expect(owned(next, 'editor')).toEqual({ 'f:spec': { 'f:replicas': {} } });
  });

  it('When an atomic map is changed, it should be one field', () => {
    const live = update(undefined, aWorkload({ selector: { matchLabels: { a: '1' } } }), 'editor');
    expect(failure(() => apply(live, aWorkload({ selector: { matchLabels: { b: '2' } } }))).message).toContain(
      '.spec.selector',
    );
  });

  it('When items come in another order, it should follow the applied order and keep foreign items in place', () => {
    const spec = (names: string[]) => ({ template: { spec: { containers: names.map((name) => ({ name })) } } });
    let live = apply(undefined, aWorkload(spec(['a', 'b', 'c'])));
    live = apply(live, aWorkload(spec(['z'])), { manager: 'bob' });
    expect(live['spec']).toEqual(spec(['a', 'b', 'c', 'z']));
    expect(apply(live, aWorkload(spec(['c', 'a', 'b'])))['spec']).toEqual(spec(['c', 'z', 'a', 'b']));
  });

  it('When nobody tracked the object, it should attribute what is there to before-first-apply', () => {
    const live = aWorkload({ replicas: 3 });
    expect(failure(() => apply(live, aWorkload({ replicas: 2 }))).message).toContain('"before-first-apply"');
    expect(owned(apply(live, aWorkload({ paused: true })), 'before-first-apply')).toEqual({
      'f:spec': { 'f:replicas': {} },
    });
  });

  it('When fields are reset by the endpoint, it should neither own them nor conflict on them', () => {
    const resetFields = fieldSetOf([['status']]);
    const next = apply(undefined, aWorkload({ replicas: 1 }, { status: { replicas: 1 } }), { resetFields });
    expect(owned(next, 'alice')).toEqual({ 'f:spec': { 'f:replicas': {} } });
  });

  it('When null is applied to a scalar, it should remove it', () => {
    const live = apply(undefined, aWorkload({ replicas: 1, paused: true }));
    expect(apply(live, aWorkload({ replicas: null, paused: true }))['spec']).toEqual({ paused: true });
  });

  it('When kubectl moves from client-side to server-side apply, it should not conflict with itself', () => {
    const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
    const first = aWorkload({ replicas: 1 });
    const live = update(
      undefined,
      { ...first, metadata: { name: 'web', namespace: 'n', annotations: { [annotation]: JSON.stringify(first) } } },
      'kubectl-client-side-apply',
    );
    const next = apply(live, aWorkload({ replicas: 2 }), { manager: 'kubectl' });
    const { annotations } = next.metadata as unknown as { annotations: { [key: string]: string } };
    expect(JSON.parse(annotations[annotation] ?? '')).toEqual(aWorkload({ replicas: 2 }));
    expect(failure(() => apply(live, aWorkload({ replicas: 2 }), { manager: 'other' })).code).toBe(409);
  });

  it.each<[string, object, number, string]>([
    ['managedFields', aWorkload({}, { metadata: { managedFields: [] } }), 400, 'metadata.managedFields must be nil'],
    [
      'another version',
      { apiVersion: 'apps/v2', kind: 'Workload' },
      400,
      'invalid object type: apps/v2, Kind=Workload',
    ],
    ['an unknown field', aWorkload({ nope: 1 }), 500, '.spec.nope: field not declared in schema'],
    ['a wrong type', aWorkload({ replicas: '1' }), 500, '.spec.replicas: expected numeric (int or float), got string'],
    ['a repeated item', aWorkload({ tags: ['a', 'a'] }), 500, '.spec.tags: duplicate entries for key [="a"]'],
    ['no object', [], 400, 'error decoding patch'],
    [
      'an item without key',
      aWorkload({ template: { spec: { containers: [{ image: 'x' }] } } }),
      500,
      'failed to create typed patch object (n/web; apps/v1, Kind=Workload): .spec.template.spec.containers: element 0: associative list with keys has an element that omits all key fields ["name"]',
    ],
  ])('When the configuration has %s, it should be refused', (_, config, code, message) => {
    const error = failure(() => apply(undefined, config, { kind: 'Workload' }));
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });

  it('When an owner recorded its fields in another version, it should be asked in that version', () => {
    const renamed = {
      ...workloadSchema.properties,
      spec: { type: 'object', properties: { count: { type: 'integer' } } },
    } as const;
    const convert = (object: object, apiVersion: string) => {
      const { spec = {}, ...rest } = object as { spec?: { replicas?: number; count?: number } };
      if (apiVersion === 'apps/v1')
        return { object: { ...rest, apiVersion, spec: { replicas: spec.count } }, schema: workloadSchema };
      if (apiVersion !== 'apps/v2') return undefined;
      return {
        object: { ...rest, apiVersion, spec: { count: spec.replicas } },
        schema: { type: 'object', properties: renamed } as const,
      };
    };
    const entry = {
      operation: 'Update',
      apiVersion: 'apps/v2',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:count': {} } },
    };
    const live = aWorkload(
      { replicas: 1 },
      { metadata: { name: 'web', managedFields: [{ manager: 'v2', ...entry }] } },
    );
    const error = failure(() => apply(live, aWorkload({ replicas: 2 }), { convert }));
    expect(error.message).toBe('Apply failed with 1 conflict: conflict with "v2" using apps/v2: .spec.count');
    const gone = aWorkload(
      { replicas: 1 },
      { metadata: { managedFields: [{ manager: 'v0', ...entry, apiVersion: 'apps/v0' }] } },
    );
    expect(apply(gone, aWorkload({ replicas: 2 }), { convert }).metadata.managedFields).toHaveLength(1);
    const applied = { ...entry, manager: 'alice', operation: 'Apply' };
    const mine = aWorkload({ replicas: 1 }, { metadata: { name: 'web', managedFields: [applied] } });
    expect(apply(mine, aWorkload({}), { convert })['spec']).not.toHaveProperty('replicas', 1);
  });
});
