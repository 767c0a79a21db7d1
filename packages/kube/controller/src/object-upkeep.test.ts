import type { Condition, KubeObject } from '@hypershift-ts/kube-apimachinery';
import { isConflict, ManualClock } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { ensureFinalizer, removeFinalizer } from './finalizers.ts';
import { controllerReference, isControlledBy, ownersOfType, withOwner } from './owner-references.ts';
import {
  allOf,
  annotationsChanged,
  anyOf,
  generationChanged,
  labelsChanged,
  matching,
  resourceVersionChanged,
} from './predicates.ts';
import { mergeConditions, patchStatus } from './status-patch.ts';
import type { Web } from './testing/kinds.ts';
import { configMaps, webs } from './testing/kinds.ts';
import { MemoryClient } from './testing/memory-client.ts';

const web = (metadata: KubeObject['metadata'] = {}): Web => ({
  apiVersion: 'example.org/v1',
  kind: 'Web',
  metadata: { namespace: 'shop', name: 'site', uid: 'u1', ...metadata },
  spec: { text: '' },
});

describe('predicates', () => {
  it.each([
    ['generation', generationChanged, { generation: 1 }, { generation: 2 }, true],
    [
      'status only',
      generationChanged,
      { generation: 1, resourceVersion: '1' },
      { generation: 1, resourceVersion: '2' },
      false,
    ],
    ['deletion', generationChanged, { generation: 1 }, { generation: 1, deletionTimestamp: 'now' }, true],
    ['a kind without generation', generationChanged, { resourceVersion: '1' }, { resourceVersion: '2' }, true],
    ['labels', labelsChanged, { labels: { a: '1' } }, { labels: { a: '2' } }, true],
    ['other labels', labelsChanged, { labels: {} }, {}, false],
    ['annotations', annotationsChanged, {}, { annotations: { a: '1' } }, true],
    ['a resync', resourceVersionChanged, { resourceVersion: '1' }, { resourceVersion: '1' }, false],
    ['both of two', allOf(labelsChanged, annotationsChanged), { labels: { a: '1' } }, {}, false],
    ['one of two', anyOf(labelsChanged, annotationsChanged), { labels: { a: '1' } }, {}, true],
    [
      'either version matches',
      matching((object) => object.metadata.labels?.['a'] === '1'),
      { labels: { a: '1' } },
      {},
      true,
    ],
  ])('When the update is about %s, it should decide', (_name, predicate, previous, next, expected) => {
    expect(predicate.updated?.(web(previous), web(next))).toBe(expected);
  });
});

describe('owner references', () => {
  it('When an object is owned, it should lead back to its owner, and refuse a second controller', () => {
    const owner = web();
    const child: KubeObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'shop', name: 'page', ownerReferences: [controllerReference(webs, owner)] },
    };
    expect(isControlledBy(child, owner)).toBe(true);
    expect(ownersOfType(child, webs)).toEqual([{ namespace: 'shop', name: 'site' }]);
    expect(ownersOfType(child, { ...webs, version: 'v2' })).toHaveLength(1);
    expect(ownersOfType(child, configMaps)).toEqual([]);
    expect(withOwner(child, controllerReference(webs, owner))).toHaveLength(1);
    expect(() => withOwner(child, controllerReference(webs, web({ uid: 'u2', name: 'other' })))).toThrow(
      'already controlled by Web site',
    );
  });
});

describe('finalizers', () => {
  it('When added and removed, it should write once each and leave others alone', async () => {
    const client = new MemoryClient();
    const made = await client.create(webs, web({ finalizers: ['theirs/f'] }));
    const held = await ensureFinalizer(client, webs, made, 'ours/f');
    expect(held.metadata.finalizers).toEqual(['theirs/f', 'ours/f']);
    client.calls.length = 0;
    await ensureFinalizer(client, webs, held, 'ours/f');
    expect(client.calls).toEqual([]);
    const error = await ensureFinalizer(client, webs, made, 'late/f').catch((caught: unknown) => caught);
    expect(isConflict(error)).toBe(true);
    expect((await removeFinalizer(client, webs, held, 'ours/f'))?.metadata.finalizers).toEqual(['theirs/f']);
    await client.patch(
      webs,
      { namespace: 'shop', name: 'site' },
      { type: 'merge', body: { metadata: { finalizers: null } } },
    );
    await client.delete(webs, { namespace: 'shop', name: 'site' });
    expect(await removeFinalizer(client, webs, held, 'ours/f')).toBeUndefined();
  });
});

describe('status', () => {
  it('When conditions are merged, it should move the transition time only with the status', () => {
    const live: Condition[] = [
      { type: 'Ready', status: 'True', reason: 'A', lastTransitionTime: 'then' },
      { type: 'Theirs', status: 'True' },
    ];
    expect(
      mergeConditions(
        live,
        [
          { type: 'Ready', status: 'True', reason: 'B' },
          { type: 'New', status: 'False' },
        ],
        'now',
      ),
    ).toEqual([
      { type: 'Ready', status: 'True', reason: 'B', lastTransitionTime: 'then' },
      { type: 'Theirs', status: 'True' },
      { type: 'New', status: 'False', lastTransitionTime: 'now' },
    ]);
    expect(mergeConditions(live, [{ type: 'Ready', status: 'False' }], 'now')[0]?.lastTransitionTime).toBe('now');
  });

  it('When status is patched, it should take one request, and none when nothing changes', async () => {
    const client = new MemoryClient();
    const clock = new ManualClock();
    const made = await client.create(webs, web());
    const changes = {
      status: { phase: 'Up', nodes: { a: 1 } },
      conditions: [{ type: 'Ready', status: 'True' as const, reason: 'Up' }],
    };
    client.calls.length = 0;
    const first = await patchStatus(client, webs, made, changes, { clock });
    clock.advance(60_000);
    const second = await patchStatus(client, webs, first, changes, { clock });
    expect(client.calls).toEqual(['patch/status webs shop/site']);
    expect(second).toBe(first);
    expect(first.status).toEqual({
      phase: 'Up',
      nodes: { a: 1 },
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'Up',
          observedGeneration: 1,
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    });
    const third = await patchStatus(client, webs, first, { status: { phase: null, nodes: { b: 2 } } }, { clock });
    expect(third.status).toMatchObject({ nodes: { b: 2 } });
    expect(third.status).not.toHaveProperty('phase');
    expect((third.status as { nodes?: object }).nodes).toEqual({ b: 2 });
  });
});
