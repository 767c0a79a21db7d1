import { describe, expect, it } from 'vitest';
import { createRegistry, defaultEntities } from '../registry/index.ts';
import { methodsOf, metricPath, routeOf } from './routes.ts';

const registry = createRegistry([
  ...defaultEntities,
  { kind: 'Disk', plural: 'disks', parent_kind: 'NodePool', on_parent_delete: 'cascade' },
]);
const v1 = '/api/hyperfleet/v1';

describe('routeOf', () => {
  it.each([
    [`${v1}/clusters`, { to: 'collection', spike: false }, `${v1}/clusters`],
    [`${v1}/clusters/`, { to: 'collection' }, `${v1}/clusters`],
    [`${v1}/clusters/1`, { to: 'item', id: '1' }, `${v1}/clusters/-`],
    [`${v1}/clusters/1/statuses`, { to: 'statuses', id: '1' }, `${v1}/clusters/-/statuses`],
    [`${v1}/clusters/1/nodepools`, { to: 'collection', parentId: '1' }, `${v1}/clusters/-/nodepools`],
    [
      `${v1}/clusters/1/nodepools/2/force-delete`,
      { to: 'force-delete', parentId: '1', id: '2' },
      `${v1}/clusters/-/nodepools/-/force-delete`,
    ],
    [`${v1}/clusters/1/nodepools/2/disks/3`, { to: 'item', parentId: '2', id: '3' }, `${v1}/nodepools/-/disks/-`],
    [`${v1}/nodepools/2`, { to: 'item', id: '2' }, `${v1}/nodepools/-`],
    [`${v1}/resources/9`, { to: 'item', id: '9' }, `${v1}/resources/-`],
    ['/api/v1/clusters/1', { to: 'item', id: '1', spike: true }, '/api/v1/clusters/-'],
    ['/api/hyperfleet', { to: 'metadata' }, '/api/hyperfleet'],
    [`${v1}/openapi.html`, { to: 'openapi-page' }, `${v1}/openapi.html`],
    [`${v1}/clusters/a%2Fb`, { to: 'item', id: 'a/b' }, `${v1}/clusters/-`],
  ])('When the path is %s, it should lead there', (path, expected, series) => {
    const route = routeOf(registry, path);
    expect(route).toMatchObject(expected);
    expect(metricPath(registry, route)).toBe(series);
  });

  it.each([
    '/',
    '/api',
    v1,
    `${v1}/nope`,
    `${v1}/clusters/1/channels`,
    `${v1}/clusters/1/statuses/2`,
    `${v1}/clusters//1`,
    `${v1}x/clusters`,
  ])('When the path is %s, it should lead nowhere', (path) => {
    expect(routeOf(registry, path)).toBeUndefined();
  });

  it('When reports are sent, only the first API should take POST', () => {
    expect(methodsOf({ to: 'statuses', id: '1', spike: false })).toEqual(['GET', 'PUT']);
    expect(methodsOf({ to: 'statuses', id: '1', spike: true })).toContain('POST');
  });
});
