import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { OwnerGraph } from './owner-graph.ts';
import type { OwnerState } from './owner-verdict.ts';
import { verdictFor } from './owner-verdict.ts';

const owner = (uid: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: uid, uid });
const object = (finalizers: string[] = []): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', finalizers },
});
const owners = (...states: OwnerState[]) => states.map((state, i) => ({ reference: owner(`o${i}`), state }));

describe('verdictFor', () => {
  it.each([
    [owners(), [], false, { action: 'keep' }],
    [owners('solid'), [], false, { action: 'keep' }],
    [owners('solid', 'absent', 'waiting'), [], false, { action: 'drop-references', uids: ['o1', 'o2'] }],
    [owners('absent'), [], true, { action: 'delete', policy: 'Background' }],
    [owners('absent'), ['orphan'], true, { action: 'delete', policy: 'Orphan' }],
    [owners('absent'), ['foregroundDeletion'], true, { action: 'delete', policy: 'Foreground' }],
    [owners('waiting'), [], true, { action: 'delete', policy: 'Foreground' }],
    [owners('waiting'), [], false, { action: 'delete', policy: 'Background' }],
    [owners('unresolvable'), [], false, { action: 'keep' }],
    [owners('unresolvable', 'absent'), [], false, { action: 'drop-references', uids: ['o1'] }],
  ] as const)('When the owners are %j, it should %j', (states, finalizers, hasDependents, expected) => {
    expect(verdictFor(object([...finalizers]), states, hasDependents)).toEqual(expected);
  });
});

describe('OwnerGraph', () => {
  it('When owners change, dependents should follow and nothing should be left behind', () => {
    const graph = new OwnerGraph();
    const pods = { group: '', version: 'v1', kind: 'Pod', resource: 'pods', namespaced: true };
    const place = { type: pods, key: 'ns/p' };
    const first = [owner('a'), owner('b')];
    graph.update(place, undefined, first);
    expect(graph.dependentsOf('a')).toEqual([place]);
    graph.update(place, first, [owner('b')]);
    expect(graph.dependentsOf('a')).toEqual([]);
    graph.update(place, [owner('b')], undefined);
    expect(graph.size).toBe(0);
  });
});
