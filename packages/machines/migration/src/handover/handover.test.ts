import { describe, expect, it } from 'vitest';
import { actors, HandoverWorld } from '../testing/handover-world.ts';
import { Random } from '../testing/random.ts';
import { nextHandoverStep } from './next-step.ts';
import { pendingMigration } from './pending.ts';
import { handoverStatus } from './status.ts';

const bothAct = ({ old, mirror, infra }: HandoverWorld) => old.active && (mirror.active || infra.active);

/** Everybody gets a turn, again and again, until nothing is left to do. */
function settle(world: HandoverWorld, working: readonly (typeof actors)[number][] = actors): number {
  for (let round = 1; round <= 40; round++) {
    for (const actor of working) {
      world.run(actor);
      if (bothAct(world)) throw new Error(`both sides act after ${actor}`);
    }
    if (world.isSettled) return round;
  }
  return Number.POSITIVE_INFINITY;
}

describe('A handover of authority', () => {
  it.each(['MachineAPI', 'ClusterAPI'] as const)('When it starts at %s and all goes well, it should arrive', (from) => {
    const to = from === 'MachineAPI' ? 'ClusterAPI' : 'MachineAPI';
    const world = new HandoverWorld(from);
    settle(world);
    world.edit(5);
    world.ask(to);
    expect(settle(world)).toBeLessThan(10);
    expect([world.status.authoritativeAPI, world.old.content, world.mirror.content]).toEqual([to, 5, 5]);
    expect([world.old.active, world.mirror.active]).toEqual(to === 'MachineAPI' ? [true, false] : [false, true]);
  });

  it('When users, controllers and crashes come in any order, it should never let both sides act nor lose a word', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const random = new Random(seed);
      const world = new HandoverWorld(random.pick(['MachineAPI', 'ClusterAPI']));
      const story: string[] = [];
      const told = (what: string) => {
        story.push(what);
        expect(bothAct(world), `seed ${seed}: ${story.join(', ')}`).toBe(false);
      };
      for (let turn = 0; turn < 60; turn++) {
        const chance = random.below(12);
        if (chance === 0) {
          world.ask(random.pick(['MachineAPI', 'ClusterAPI']));
          told(`ask ${world.wanted}`);
        } else if (chance === 1) {
          world.edit(seed * 100 + turn);
          told('edit');
        } else {
          const actor = random.pick(actors);
          world.run(actor);
          told(`${actor} -> ${world.status.authoritativeAPI}`);
        }
      }
      expect(settle(world), `seed ${seed}: ${story.join(', ')}`).toBeLessThan(20);
      expect([world.old.content, world.mirror.content], `seed ${seed}`).toEqual([world.lastWord, world.lastWord]);
    }
  });

  it('When it is called off while the new side is down, it should still go back', () => {
    const world = new HandoverWorld('MachineAPI');
    settle(world);
    world.ask('ClusterAPI');
    world.run('sync');
    world.run('handover');
    expect(world.status.authoritativeAPI).toBe('Migrating');
    world.ask('MachineAPI');
    expect(settle(world, ['handover', 'sync', 'machineApi'])).toBeLessThan(5);
    expect(world.old.active).toBe(true);
  });

  it('When it is called off after the new side was set going, it should stop that first', () => {
    const world = new HandoverWorld('MachineAPI');
    settle(world);
    world.ask('ClusterAPI');
    for (const actor of ['sync', 'handover', 'machineApi', 'handover'] as const) world.run(actor);
    world.run('clusterApi');
    expect(world.mirror.active).toBe(true);
    world.ask('MachineAPI');
    world.run('handover');
    expect(nextHandoverStep(world.objects)).toMatchObject({ kind: 'wait', reason: 'ClusterAPINotPaused' });
    expect(settle(world)).toBeLessThan(6);
    expect([world.old.active, world.mirror.active]).toEqual([true, false]);
  });

  it('When somebody edits in the middle, it should copy that once more before it goes on', () => {
    const world = new HandoverWorld('MachineAPI');
    settle(world);
    world.ask('ClusterAPI');
    for (const actor of ['sync', 'handover', 'machineApi'] as const) world.run(actor);
    world.edit(8);
    expect(nextHandoverStep(world.objects)).toEqual({ kind: 'synchronize', source: 'MachineAPI' });
    settle(world);
    expect(world.mirror.content).toBe(8);
  });
});

describe('nextHandoverStep', () => {
  const asked = () => {
    const world = new HandoverWorld('MachineAPI');
    settle(world);
    world.ask('ClusterAPI');
    world.run('sync');
    return world.objects;
  };

  it('When nobody has told who has authority, it should tell what is wanted', () => {
    const { machineApi, ...mirrors } = asked();
    const unknown = { ...mirrors, machineApi: { ...machineApi, status: {} } };
    expect(nextHandoverStep(unknown)).toEqual({ kind: 'tell', authority: 'ClusterAPI' });
  });

  it.each([
    ['is not mirrored', { infra: undefined }, 'NotMirrored'],
    ['has a stale copy', { generation: 99 }, 'NotSynchronized'],
    ['is being deleted', { deletionTimestamp: '2026-01-01T00:00:00Z' }, 'Deleting'],
    ['could lose its copy', { finalizers: [] }, 'FinalizerMissing'],
  ])(
    'When a machine %s, it should not begin',
    (_, { infra, ...metadata }: { infra?: undefined; [key: string]: unknown }, reason) => {
      const objects = asked();
      const machineApi = { ...objects.machineApi, metadata: { ...objects.machineApi.metadata, ...metadata } };
      const changed = { ...objects, machineApi, ...(Object.keys(metadata).length === 0 ? { infra } : {}) };
      expect(nextHandoverStep(changed)).toMatchObject({ kind: 'wait', reason });
    },
  );

  it('When the last agreement was with the other side, it should not begin', () => {
    const objects = asked();
    const status = { ...objects.machineApi.status, synchronizedAPI: 'ClusterAPI' as const };
    const machineApi = { ...objects.machineApi, status } as typeof objects.machineApi;
    expect(nextHandoverStep({ ...objects, machineApi })).toMatchObject({ reason: 'NotSynchronized' });
  });

  it('When a set is handed back, it should pause the set alone', () => {
    const world = new HandoverWorld('ClusterAPI');
    settle(world);
    world.ask('MachineAPI');
    world.run('handover');
    const { machineApi, clusterApi } = world.objects;
    const set = {
      machineApi: { ...machineApi, kind: 'MachineSet' },
      clusterApi: { ...clusterApi!, kind: 'MachineSet' },
    };
    expect(nextHandoverStep(set)).toMatchObject({ kind: 'pause', objects: [{ kind: 'MachineSet' }] });
  });
});

describe('What a handover tells', () => {
  it('When it ends, it should set back the generation in the same write', () => {
    const { objects } = new HandoverWorld('MachineAPI');
    const machineApi = { ...objects.machineApi, metadata: { ...objects.machineApi.metadata, resourceVersion: '12' } };
    const now = '2026-02-03T04:05:06Z';
    expect(handoverStatus({ machineApi }, { kind: 'finish', authority: 'ClusterAPI' }, now)).toEqual({
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'Machine',
      metadata: { name: 'm', resourceVersion: '12' },
      status: {
        authoritativeAPI: 'ClusterAPI',
        synchronizedGeneration: 0,
        conditions: [
          {
            type: 'Synchronized',
            status: 'Unknown',
            severity: 'Info',
            reason: 'AuthoritativeAPIChanged',
            message: 'Waiting for resync after change of AuthoritativeAPI',
            lastTransitionTime: now,
          },
        ],
      },
    });
  });

  it('When a wish is not met, it should be counted with the reason', () => {
    const world = new HandoverWorld('MachineAPI');
    expect(pendingMigration(world.objects.machineApi)).toBeUndefined();
    world.ask('ClusterAPI');
    expect(pendingMigration(world.objects.machineApi)).toMatchObject({
      from: 'MachineAPI',
      to: 'ClusterAPI',
      reason: 'NotSynchronized',
    });
    world.run('sync');
    world.run('handover');
    expect(pendingMigration(world.objects.machineApi)).toMatchObject({ from: 'Migrating', reason: 'Migrating' });
  });
});
