import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import type { Authority } from '../../handover/objects.ts';
import { machineDeletion, type MachinePair } from './machine.ts';
import { machineSetDeletion, type MachineSetPair } from './machine-set.ts';
import type { DeletionStep } from './step.ts';

const sync = 'sync.machine.openshift.io/finalizer';
const provider = 'awsmachine.infrastructure.cluster.x-k8s.io';

type Name = 'machineApi' | 'clusterApi' | 'infra';

/** Objects that go when they are asked to and nothing holds them any more. */
class Objects {
  readonly held = new Map<Name, Set<string>>();
  readonly deleting = new Set<Name>();
  readonly story: string[] = [];
  templates: boolean;

  constructor(held: { readonly [name in Name]?: readonly string[] }, templates = false) {
    for (const [name, finalizers] of Object.entries(held)) this.held.set(name as Name, new Set(finalizers));
    this.templates = templates;
  }

  get(name: Name): KubeObject | undefined {
    const finalizers = this.held.get(name);
    if (!finalizers) return undefined;
    const deletionTimestamp = this.deleting.has(name) ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {};
    return { apiVersion: '', kind: name, metadata: { finalizers: [...finalizers], ...deletionTimestamp } };
  }

  delete(name: Name): void {
    this.deleting.add(name);
    this.#collect();
  }

  release(name: Name, finalizer: string): void {
    this.held.get(name)?.delete(finalizer);
    this.#collect();
  }

  #collect(): void {
    for (const name of this.deleting) if (this.held.get(name)?.size === 0) this.held.delete(name);
  }

  apply(step: DeletionStep): void {
    if (step.kind === 'delete') {
      this.story.push(`delete ${step.objects.map(({ kind }) => kind).join('+')}`);
      for (const { kind } of step.objects) this.delete(kind as Name);
    } else if (step.kind === 'release') {
      this.story.push(`release ${step.objects.map(({ object }) => object.kind).join('+')}`);
      for (const { object, finalizers } of step.objects)
        for (const each of finalizers) this.release(object.kind as Name, each);
    } else if (step.kind === 'delete-templates') {
      this.story.push('templates');
      this.templates = false;
    } else this.story.push('wait');
  }
}

const machine = () =>
  new Objects({
    machineApi: ['machine.machine.openshift.io', sync],
    clusterApi: ['machine.cluster.x-k8s.io', sync],
    infra: [provider, sync],
  });

/** Takes steps until there are none; whenever it must wait, the side with authority does its work. */
function run(objects: Objects, step: () => DeletionStep | undefined, work: () => void): readonly string[] {
  for (let turn = 0; turn < 20; turn++) {
    const next = step();
    if (!next) return objects.story;
    objects.apply(next);
    if (next.kind === 'wait') work();
    if (objects.held.size === 0) break;
  }
  return objects.story;
}

function runMachine(objects: Objects, authority: Authority, more: Partial<MachinePair> = {}): readonly string[] {
  const step = () =>
    machineDeletion(
      {
        machineApi: objects.get('machineApi') as MachinePair['machineApi'],
        clusterApi: objects.get('clusterApi'),
        infra: objects.get('infra'),
        ...more,
      },
      authority,
    );
  return run(objects, step, () => {
    if (authority === 'MachineAPI') objects.release('machineApi', 'machine.machine.openshift.io');
    else if (objects.held.get('infra')?.has(provider)) {
      objects.delete('infra');
      objects.release('infra', provider);
    } else objects.release('clusterApi', 'machine.cluster.x-k8s.io');
  });
}

describe('The deletion of a machine', () => {
  it.each(['machineApi', 'clusterApi'] as const)(
    'When the Machine API has authority and %s goes, it should wait for the instance and take all',
    (first) => {
      const objects = machine();
      objects.delete(first);
      expect(runMachine(objects, 'MachineAPI')).toEqual([
        ...(first === 'clusterApi' ? ['delete machineApi', 'delete infra'] : ['delete clusterApi+infra']),
        'wait',
        'release infra',
        'release clusterApi',
        'release clusterApi+infra+machineApi',
      ]);
      expect(objects.held.size).toBe(0);
    },
  );

  it.each(['machineApi', 'clusterApi'] as const)(
    'When Cluster API has authority and %s goes, it should let that work first',
    (first) => {
      const objects = machine();
      objects.delete(first);
      expect(runMachine(objects, 'ClusterAPI')).toEqual([
        first === 'clusterApi' ? 'delete machineApi' : 'delete clusterApi',
        'wait',
        'release infra',
        'wait',
        'release machineApi',
        'release machineApi+clusterApi',
      ]);
      expect(objects.held.size).toBe(0);
    },
  );

  it('When its set left the Machine API and lives on in Cluster API, it should leave the node alone', () => {
    const objects = machine();
    objects.delete('machineApi');
    expect(runMachine(objects, 'ClusterAPI', { isOrphaned: true })).toEqual([
      'release clusterApi+infra',
      'release machineApi',
    ]);
    expect([...objects.held.keys()]).toEqual(['clusterApi', 'infra']);
    expect(objects.deleting.has('clusterApi')).toBe(false);
  });

  it('When the other copies are gone already, it should let go of the last', () => {
    for (const authority of ['MachineAPI', 'ClusterAPI'] as const) {
      const objects = new Objects({ machineApi: ['machine.machine.openshift.io', sync] });
      objects.delete('machineApi');
      runMachine(objects, authority);
      expect(objects.held.size).toBe(0);
    }
    const objects = new Objects({ clusterApi: [sync] });
    objects.delete('clusterApi');
    expect(runMachine(objects, 'ClusterAPI')).toEqual(['release clusterApi']);
  });

  it('When nothing is being deleted, it should have nothing to do', () => {
    expect(runMachine(machine(), 'MachineAPI')).toEqual([]);
  });
});

describe('The deletion of a set', () => {
  const set = () => new Objects({ machineApi: [sync], clusterApi: ['cluster.x-k8s.io/machineset', sync] }, true);

  function runSet(objects: Objects, authority: Authority): readonly string[] {
    const step = () =>
      machineSetDeletion(
        {
          machineApi: objects.get('machineApi') as MachineSetPair['machineApi'],
          clusterApi: objects.get('clusterApi'),
          hasTemplates: objects.templates,
        },
        authority,
      );
    return run(objects, step, () => objects.release('clusterApi', 'cluster.x-k8s.io/machineset'));
  }

  it.each([
    ['MachineAPI', 'machineApi', ['delete clusterApi', 'templates', 'release clusterApi', 'release machineApi']],
    ['MachineAPI', 'clusterApi', ['delete machineApi', 'templates', 'release clusterApi', 'release machineApi']],
    [
      'ClusterAPI',
      'clusterApi',
      ['delete machineApi', 'wait', 'templates', 'release clusterApi', 'release machineApi'],
    ],
  ] as const)('When %s has authority and %s goes, it should take both and the templates', (authority, first, story) => {
    const objects = set();
    objects.delete(first);
    expect(runSet(objects, authority)).toEqual(story);
    expect([objects.held.size, objects.templates]).toEqual([0, false]);
  });

  it('When a copy without authority goes from the Machine API, it should leave the other alone', () => {
    const objects = set();
    objects.delete('machineApi');
    expect(runSet(objects, 'ClusterAPI')).toEqual(['release clusterApi', 'release machineApi']);
    expect([[...objects.held.keys()], objects.templates]).toEqual([['clusterApi'], true]);
  });
});
