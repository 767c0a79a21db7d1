import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import type { Logger } from '../logger.ts';
import { silentLogger } from '../logger.ts';
import type { ConfigMap } from '../testing/kinds.ts';
import { configMaps } from '../testing/kinds.ts';
import { MemoryClient } from '../testing/memory-client.ts';
import { derives } from './derives.ts';
import { LoopDetector } from './loop-detector.ts';
import { overlay } from './overlay.ts';
import { ownsExactly } from './owned-fields.ts';
import { applyIfChanged, createOrUpdate, deleteIfPresent } from './upsert.ts';

const key = { namespace: 'ns', name: 'a' };

describe('derives', () => {
  it.each<[unknown, unknown, boolean]>([
    [{ a: 1 }, { a: 1, b: 2 }, true],
    [{ a: 1 }, { a: 2 }, false],
    [{ a: 1 }, {}, false],
    [{ a: undefined }, { a: 2 }, true],
    [{ a: null }, { a: 2 }, false],
    [{ a: null }, {}, true],
    [{ a: [] }, {}, true],
    [{ a: [] }, { a: [1] }, false],
    [{ a: [{ name: 'x' }] }, { a: [{ name: 'x', protocol: 'TCP' }] }, true],
    [{ a: [1] }, { a: [1, 2] }, false],
    [{ metadata: { labels: {} } }, { metadata: {} }, true],
    [{ volume: { emptyDir: {} } }, { volume: {} }, false],
    ['x', 'x', true],
    [{ limits: { cpu: '1000m' } }, { limits: { cpu: '1' } }, true],
    [{ limits: { cpu: '1001m' } }, { limits: { cpu: '1' } }, false],
    [{ limits: { cpu: 'x' } }, { limits: { cpu: 'y' } }, false],
    [0, undefined, false],
    [{ env: [{ name: 'a', value: '' }] }, { env: [{ name: 'a' }] }, true],
    [{ env: [{ name: 'a', value: '' }] }, { env: [{ name: 'a', value: 'x' }] }, false],
  ])('When %j is wanted and %j is there, it should be %s', (desired, live, expected) => {
    expect(derives(desired, live)).toBe(expected);
  });
});

describe('overlay', () => {
  it('When lists have named items, it should keep what the server added to them', () => {
    const live = {
      clusterIP: '10.0.0.1',
      ports: [
        { name: 'web', port: 80, nodePort: 30080 },
        { name: 'old', port: 1 },
      ],
    };
    expect(
      overlay(live, {
        ports: [
          { name: 'new', port: 2 },
          { name: 'web', port: 81 },
        ],
      }),
    ).toEqual({
      clusterIP: '10.0.0.1',
      ports: [
        { name: 'new', port: 2 },
        { name: 'web', port: 81, nodePort: 30080 },
      ],
    });
    expect(overlay({ a: 1, b: { c: 1 } }, { a: null, b: { d: 2 } })).toEqual({ b: { c: 1, d: 2 } });
  });
});

describe('createOrUpdate', () => {
  it('When nothing differs, it should write nothing; when something does, it should keep what others added', async () => {
    const client = new MemoryClient();
    const desired = { metadata: { ...key, labels: { app: 'web' }, finalizers: ['ours/f'] }, data: { x: '1' } };
    expect((await createOrUpdate(client, configMaps, key, desired)).operation).toBe('created');
    await client.patch(configMaps, key, {
      type: 'merge',
      body: { metadata: { labels: { theirs: 'yes' }, finalizers: ['ours/f', 'theirs/f'] }, data: { y: '2' } },
    });
    client.calls.length = 0;
    expect((await createOrUpdate(client, configMaps, key, desired)).operation).toBe('unchanged');
    expect(client.calls).toEqual(['get configmaps ns/a']);
    const changed = await createOrUpdate(client, configMaps, key, { ...desired, data: { x: '9' } });
    expect(changed.operation).toBe('updated');
    expect(changed.object).toMatchObject({
      metadata: { labels: { app: 'web', theirs: 'yes' }, finalizers: ['ours/f', 'theirs/f'] },
      data: { x: '9', y: '2' },
    });
  });

  it('When a function removes something, it should be removed', async () => {
    const client = new MemoryClient();
    await client.create(configMaps, { metadata: key, data: { x: '1', y: '2' } });
    const { object } = await createOrUpdate(client, configMaps, key, (live) => ({
      ...live,
      metadata: live?.metadata ?? key,
      data: { x: '1' },
    }));
    expect(object.data).toEqual({ x: '1' });
  });

  it('When a function wants empty labels and lists, it should know that servers store them as nothing', async () => {
    const client = new MemoryClient();
    const live = await client.create(configMaps, { metadata: key, data: { x: '1' } });
    client.calls.length = 0;
    const desired = () => ({
      ...live,
      metadata: { ...live.metadata, labels: {}, annotations: {}, finalizers: [], ownerReferences: [] },
    });
    expect((await createOrUpdate(client, configMaps, key, desired, { live })).operation).toBe('unchanged');
    expect(client.calls).toEqual([]);
  });

  it('When the caller knows the live object, it should not read it again', async () => {
    const client = new MemoryClient();
    const live: ConfigMap = await client.create(configMaps, { metadata: key, data: { x: '1' } });
    client.calls.length = 0;
    await createOrUpdate(client, configMaps, key, { metadata: key, data: { x: '1' } }, { live });
    expect(client.calls).toEqual([]);
  });

  it('When an object is updated over and over, it should warn after ten times and start over once it settles', async () => {
    const warnings: object[] = [];
    const log: Logger = { ...silentLogger, warn: (fields) => warnings.push(fields) };
    const client = new MemoryClient();
    const loops = new LoopDetector(log);
    const upsert = (x: string) => createOrUpdate(client, configMaps, key, { metadata: key, data: { x } }, { loops });
    for (let i = 0; i < 10; i++) await upsert(String(i));
    expect(warnings).toEqual([]);
    await upsert('10');
    expect(warnings).toEqual([{ resource: 'configmaps', object: 'ns/a', updates: 10, changed: ['data'] }]);
    await upsert('10');
    for (let i = 0; i < 9; i++) await upsert(String(i));
    expect(warnings).toHaveLength(1);
  });
});

const fields = (value: object) => ({ manager: 'me', operation: 'Apply' as const, apiVersion: 'v1', fieldsV1: value });

describe('ownsExactly', () => {
  const ports = {
    'f:spec': {
      'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {}, 'f:protocol': {}, 'f:name': {} } },
    },
  };
  it.each<[string, object, object, boolean]>([
    ['the same fields', { 'f:data': { 'f:x': {} } }, { data: { x: '1' } }, true],
    ['a field we gave up', { 'f:data': { 'f:x': {}, 'f:y': {} } }, { data: { x: '1' } }, false],
    ['a field we do not own yet', { 'f:data': { 'f:x': {} } }, { data: { x: '1', y: '2' } }, false],
    ['an atomic value', { 'f:spec': { 'f:list': {} } }, { spec: { list: [1, 2] } }, true],
    [
      'labels',
      { 'f:metadata': { 'f:labels': { 'f:a': {} } } },
      { metadata: { name: 'n', namespace: 'ns', labels: { a: 'b' } } },
      true,
    ],
    [
      'a set item',
      { 'f:metadata': { 'f:finalizers': { '.': {}, 'v:"f/x"': {} } } },
      { metadata: { finalizers: ['f/x'] } },
      true,
    ],
    [
      'another set item',
      { 'f:metadata': { 'f:finalizers': { '.': {}, 'v:"f/x"': {} } } },
      { metadata: { finalizers: ['f/y'] } },
      false,
    ],
    [
      'a keyed item with a defaulted key',
      ports,
      { spec: { ports: [{ port: 80, name: 'web', protocol: 'TCP' }] } },
      true,
    ],
    ['a keyed item without the defaulted key', ports, { spec: { ports: [{ port: 80, name: 'web' }] } }, true],
    ['one keyed item more', ports, { spec: { ports: [{ port: 80, name: 'web' }, { port: 81 }] } }, false],
    ['no keyed item any more', ports, { spec: { ports: [] } }, false],
  ])('When there is %s, it should know', (_name, fieldsV1, desired, expected) => {
    expect(ownsExactly(fields(fieldsV1), desired)).toBe(expected);
  });
});

describe('applyIfChanged', () => {
  it('When live has the values and we own exactly the fields, it should write nothing', async () => {
    const client = new MemoryClient();
    const desired = { metadata: key, data: { x: '1' } };
    const live = (fieldsV1: object): ConfigMap => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...key, uid: 'u', managedFields: [fields(fieldsV1)] },
      data: { x: '1', other: 'yes' },
    });
    const options = { fieldManager: 'me' };
    const same = live({ 'f:data': { 'f:x': {} } });
    expect((await applyIfChanged(client, configMaps, desired, { ...options, live: same })).operation).toBe('unchanged');
    expect(client.calls).toEqual([]);
    await applyIfChanged(client, configMaps, desired, {
      ...options,
      live: live({ 'f:data': { 'f:x': {}, 'f:gone': {} } }),
    });
    await applyIfChanged(client, configMaps, { ...desired, data: { x: '2' } }, { ...options, live: same });
    await applyIfChanged(client, configMaps, desired, { fieldManager: 'somebody-else', live: same });
    expect(client.calls).toEqual(Array.from({ length: 3 }, () => 'apply configmaps ns/a'));
  });

  it('When managed fields are not to be seen, it should remember what it applied itself', async () => {
    const client = new MemoryClient();
    const desired = { metadata: key, data: { x: '1', y: '2' } };
    const apply = (object: typeof desired | { metadata: typeof key; data: { x: string } }) =>
      applyIfChanged(client, configMaps, object, { fieldManager: 'me' });
    expect((await apply(desired)).operation).toBe('created');
    expect((await apply(desired)).operation).toBe('unchanged');
    client.calls.length = 0;
    await apply({ metadata: key, data: { x: '1' } });
    expect(client.calls).toContain('apply configmaps ns/a');
  });
});

describe('deleteIfPresent', () => {
  it('When there is nothing to delete, it should not mind', async () => {
    const client = new MemoryClient();
    expect(await deleteIfPresent(client, configMaps, key)).toBe(false);
    const live: KubeObject = await client.create(configMaps, { metadata: key });
    expect(live.metadata.name).toBe('a');
    expect(await deleteIfPresent(client, configMaps, key)).toBe(true);
    client.calls.length = 0;
    expect(await deleteIfPresent(client, configMaps, key, { live: null })).toBe(false);
    expect(client.calls).toEqual([]);
  });
});
