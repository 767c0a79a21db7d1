import { describe, expect, it } from 'vitest';
import type { MachineDeployment, MachineSet } from '../generated/capiv1beta1.ts';
import { replicasOf, rollingLimits, sum } from './limits.ts';
import { onDeletePlan } from './on-delete.ts';
import { proportionalPlan } from './proportional-scaling.ts';
import { rollingPlan } from './rolling-update.ts';

type Amount = number | string;

function aDeployment(replicas: number, maxSurge?: Amount, maxUnavailable?: Amount): MachineDeployment {
  const rollingUpdate = {
    ...(maxSurge === undefined ? {} : { maxSurge }),
    ...(maxUnavailable === undefined ? {} : { maxUnavailable }),
  };
  const template = { spec: { clusterName: 'demo', bootstrap: {}, infrastructureRef: {} } };
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'MachineDeployment',
    metadata: { name: 'pool' },
    spec: { clusterName: 'demo', replicas, selector: {}, strategy: { type: 'RollingUpdate', rollingUpdate }, template },
  };
}

function aSet(
  name: string,
  replicas: number,
  status: { readonly existing?: number; readonly available?: number } = {},
  annotations = {},
): MachineSet {
  const { existing = replicas, available = existing } = status;
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'MachineSet',
    metadata: { name, creationTimestamp: '2026-01-01T00:00:00Z', annotations },
    spec: { clusterName: 'demo', replicas, selector: {} },
    status: { replicas: existing, availableReplicas: available },
  };
}

const next = (plan: ReadonlyMap<MachineSet, number>) =>
  Object.fromEntries([...plan].map(([set, size]) => [set.metadata.name, size]));

describe('rollingLimits', () => {
  it.each([
    [10, undefined, undefined, { surge: 1, unavailable: 0 }],
    [10, 0, 0, { surge: 0, unavailable: 1 }],
    [10, '25%', '25%', { surge: 3, unavailable: 2 }],
    [1, '0%', '50%', { surge: 0, unavailable: 1 }],
    [2, 0, 5, { surge: 0, unavailable: 2 }],
  ])('When %s replicas surge %s and miss %s, it should allow %o', (replicas, surge, unavailable, limits) => {
    expect(rollingLimits(aDeployment(replicas, surge, unavailable))).toEqual(limits);
  });
});

describe('rollingPlan', () => {
  it('When a rollout begins, it should surge first', () => {
    expect(next(rollingPlan(aDeployment(3, 1, 0), aSet('new', 0), [aSet('old', 3)]))).toEqual({ new: 1 });
  });

  it('When the new machine is available, it should let one old machine go', () => {
    expect(next(rollingPlan(aDeployment(3, 1, 0), aSet('new', 1), [aSet('old', 3)]))).toEqual({ old: 2 });
  });

  it('When the new machine is not available yet, it should wait', () => {
    expect(next(rollingPlan(aDeployment(3, 1, 0), aSet('new', 1, { available: 0 }), [aSet('old', 3)]))).toEqual({});
  });

  it('When an old machine is still leaving, it should count as there', () => {
    const old = aSet('old', 2, { existing: 3, available: 2 });
    expect(next(rollingPlan(aDeployment(3, 1, 0), aSet('new', 1), [old]))).toEqual({});
  });

  it('When no old machine is available, they should go although no new one is yet', () => {
    const old = aSet('old', 3, { available: 0 });
    expect(next(rollingPlan(aDeployment(3, 1, 2), aSet('new', 1, { available: 0 }), [old]))).toEqual({ old: 1 });
  });

  it('When only broken old machines hold it up, it should give one of them up', () => {
    const old = aSet('old', 3, { available: 2 });
    expect(next(rollingPlan(aDeployment(3, 1, 0), aSet('new', 1), [old]))).toEqual({ old: 2 });
  });

  it('When it is scaled down, the new set should follow at once', () => {
    expect(next(rollingPlan(aDeployment(2, 1, 0), aSet('new', 5), []))).toEqual({ new: 2 });
  });
});

/** Machines and sets that act in any order, each seeing the others a little late. */
class World {
  readonly sets: {
    name: string;
    replicas: number;
    machines: { available: boolean; leaving: boolean }[];
    seen: { existing: number; available: number };
  }[];
  readonly random: () => number;

  constructor(random: () => number, replicas: number) {
    this.random = random;
    const machines = Array.from({ length: replicas }, () => ({ available: true, leaving: false }));
    this.sets = [
      { name: 'old', replicas, machines, seen: { existing: replicas, available: replicas } },
      { name: 'new', replicas: 0, machines: [], seen: { existing: 0, available: 0 } },
    ];
  }

  step(deployment: MachineDeployment): void {
    const set = this.sets[Math.floor(this.random() * 2)];
    if (!set) return;
    const machine = set.machines[Math.floor(this.random() * set.machines.length)];
    switch (Math.floor(this.random() * 4)) {
      case 0: {
        const [old, fresh] = this.sets.map(({ name, replicas, seen }) => aSet(name, replicas, seen));
        if (!old || !fresh) return;
        const plan = rollingPlan(deployment, fresh, [old]);
        for (const one of this.sets) one.replicas = plan.get(one.name === 'old' ? old : fresh) ?? one.replicas;
        return;
      }
      case 1: {
        const { machines } = set;
        set.seen = {
          existing: machines.length,
          available: machines.filter((one) => one.available && !one.leaving).length,
        };
        for (let i = machines.length; i < set.replicas; i++) machines.push({ available: false, leaving: false });
        const leaving = machines.filter((one) => one.leaving).length;
        const surplus = machines
          .filter((one) => !one.leaving)
          .slice(0, Math.max(machines.length - leaving - set.replicas, 0));
        for (const one of surplus) one.leaving = true;
        return;
      }
      case 2:
        if (machine) machine.available = true;
        return;
      default:
        if (machine?.leaving) set.machines.splice(set.machines.indexOf(machine), 1);
    }
  }
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('a rollout in any order of events', () => {
  it.each([
    [5, 1, 0],
    [5, 0, 1],
    [7, 2, 2],
    [10, '30%', '20%'],
    [1, 1, 0],
  ])(
    'When %s replicas roll with maxSurge %s and maxUnavailable %s, it should stay within both and end',
    (replicas, surge, unavailable) => {
      const deployment = aDeployment(replicas, surge, unavailable);
      const limits = rollingLimits(deployment);
      for (let seed = 1; seed <= 10; seed++) {
        const world = new World(randomFrom(seed), replicas);
        for (let i = 0; i < 4000; i++) {
          world.step(deployment);
          const machines = world.sets.flatMap((set) => set.machines);
          const available = machines.filter((one) => one.available && !one.leaving).length;
          if (machines.length > replicas + limits.surge) throw new Error(`seed ${seed}: ${machines.length} machines`);
          if (available < replicas - limits.unavailable) throw new Error(`seed ${seed}: ${available} available`);
        }
        expect(world.sets.map((set) => [set.name, set.machines.length])).toEqual([
          ['old', 0],
          ['new', replicas],
        ]);
      }
    },
  );
});

describe('onDeletePlan', () => {
  const barren = { 'cluster.x-k8s.io/disable-machine-create': 'true' };

  it('When nobody deleted a machine, it should do nothing', () => {
    expect(next(onDeletePlan(aDeployment(3), aSet('new', 0), [aSet('old', 3, {}, barren)]))).toEqual({});
  });

  it('When an old machine has gone, its replacement should come from the new set', () => {
    expect(next(onDeletePlan(aDeployment(3), aSet('new', 0), [aSet('old', 3, { existing: 2 }, barren)]))).toEqual({
      old: 2,
      new: 1,
    });
  });

  it('When it is scaled down, old machines should go first', () => {
    expect(next(onDeletePlan(aDeployment(2), aSet('new', 1), [aSet('old', 2, {}, barren)]))).toEqual({ old: 1 });
  });

  it('When it is scaled up, new machines should come', () => {
    expect(next(onDeletePlan(aDeployment(5), aSet('new', 1), [aSet('old', 2, {}, barren)]))).toEqual({ new: 3 });
  });
});

describe('proportionalPlan', () => {
  it('When a paused rollout is scaled, every set should keep its share', () => {
    const sized = {
      'machinedeployment.clusters.x-k8s.io/desired-replicas': '10',
      'machinedeployment.clusters.x-k8s.io/max-replicas': '11',
    };
    const sets = [aSet('old', 8, {}, sized), aSet('new', 3, {}, sized)];
    const plan = proportionalPlan(aDeployment(20, 2, 0), sets);
    expect(sum(sets, (set) => plan.get(set) ?? replicasOf(set))).toBe(22);
    expect(next(plan)).toEqual({ old: 16, new: 6 });
  });

  it('When there is one set, it should get everything', () => {
    expect(next(proportionalPlan(aDeployment(4), [aSet('new', 2)]))).toEqual({ new: 4 });
  });
});
