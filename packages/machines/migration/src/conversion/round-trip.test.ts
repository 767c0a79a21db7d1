import { formatFieldError } from '@hypershift-ts/kube-apimachinery';
import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { describe, expect, it } from 'vitest';
import {
  type Conversion,
  type InfraTemplate,
  machineSetToClusterApi,
  machineSetToMachineApi,
  machineToClusterApi,
  machineToMachineApi,
  platformConversion,
} from '../index.ts';
import {
  arbitraryClusterApiSpec,
  arbitraryClusterApiStatus,
  arbitraryMachineApiSpec,
  arbitraryMachineApiStatus,
} from '../testing/machines.ts';
import { difference } from '../testing/difference.ts';
import { type PlatformCase, platformCases } from '../testing/platforms/index.ts';
import { Random } from '../testing/random.ts';
import { shrink } from '../testing/shrink.ts';
import { decode } from '../wire/decode.ts';
import { encode } from '../wire/encode.ts';
import type { ObjectShape } from '../wire/shape.ts';

/** `ROUND_TRIPS=10000 SEED=7 npx vitest run packages/machines/migration` looks harder, and elsewhere. */
const roundTrips = Number(process.env['ROUND_TRIPS'] ?? 40);
const firstSeed = Number(process.env['SEED'] ?? 1);

const normal = <T>(shape: ObjectShape<T>, value: unknown) => encode(shape, decode(shape, value, '').value);

interface Law<T> {
  readonly make: (platform: PlatformCase, random: Random) => T;
  /** What is wrong after a round trip; empty when the law holds. */
  readonly broken: (platform: PlatformCase, value: T) => readonly string[];
}

function said({ errors, warnings }: Conversion<unknown>): string[] {
  return [...errors, ...warnings].map(formatFieldError);
}

function differences(pairs: { readonly [path: string]: readonly [before: unknown, after: unknown] }): string[] {
  return Object.entries(pairs)
    .map(([path, [before, after]]) => difference(path, before, after))
    .filter((found) => found !== undefined);
}

const machineApiMachine: Law<mapiv1beta1.Machine> = {
  make: (platform, random) => ({
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    ...(JSON.parse(JSON.stringify(arbitraryMachineApiSpec(platform, random))) as Pick<
      mapiv1beta1.Machine,
      'metadata' | 'spec'
    >),
    status: arbitraryMachineApiStatus(random),
  }),
  broken({ name, facts }, machine) {
    const platform = platformConversion(name)!;
    const there = machineToClusterApi(machine, platform, facts);
    const back = machineToMachineApi(there.value, platform, facts);
    const spec = (of: mapiv1beta1.Machine) => ({
      ...of.spec,
      providerSpec: normal(platform.providerSpec, of.spec.providerSpec?.value),
    });
    return [
      ...said(there),
      ...said(back),
      ...differences({
        metadata: [machine.metadata, { ...back.value.metadata, name: undefined, namespace: undefined }],
        spec: [spec(machine), spec(back.value)],
        status: [machine.status, back.value.status],
      }),
    ];
  },
};

interface ClusterApiMachine {
  readonly machine: capiv1beta2.Machine;
  readonly infraSpec: object;
}

const infraRef = (platform: PlatformCase, kind: 'machine' | 'template', name: string) => ({
  apiGroup: 'infrastructure.cluster.x-k8s.io',
  kind: platformConversion(platform.name)!.kinds[kind].kind,
  name,
});

const clusterApiMachine: Law<ClusterApiMachine> = {
  make(platform, random) {
    const { metadata, spec, infraSpec } = arbitraryClusterApiSpec(platform, random);
    return {
      machine: {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'Machine',
        metadata: { name: 'worker', ...metadata },
        spec: { ...spec, infrastructureRef: infraRef(platform, 'machine', 'worker') },
        status: arbitraryClusterApiStatus(random),
      },
      infraSpec,
    };
  },
  broken({ name, facts }, { machine, infraSpec }) {
    const platform = platformConversion(name)!;
    const infraMachine = { apiVersion: '', kind: '', metadata: {}, spec: infraSpec };
    const there = machineToMachineApi({ machine, infraMachine }, platform, facts);
    const back = machineToClusterApi(there.value, platform, facts);
    const { machine: again, infraMachine: infraAgain } = back.value;
    return [
      ...said(there),
      ...said(back),
      ...differences({
        metadata: [machine.metadata, { ...again.metadata, namespace: undefined }],
        spec: [machine.spec, again.spec],
        status: [machine.status, again.status],
        'infra spec': [normal(platform.infraSpec, infraSpec), infraAgain.spec],
      }),
    ];
  },
};

const machineApiSet: Law<mapiv1beta1.MachineSet> = {
  make(platform, random) {
    const labels = random.map();
    const template = arbitraryMachineApiSpec(platform, random);
    return JSON.parse(
      JSON.stringify({
        apiVersion: 'machine.openshift.io/v1beta1',
        kind: 'MachineSet',
        metadata: {
          name: 'workers',
          labels: random.map(),
          annotations: { 'machine.openshift.io/cluster-api-autoscaler-node-group-max-size': '9', ...random.map() },
        },
        spec: {
          replicas: random.below(9),
          deletePolicy: random.pick(['Random', 'Newest', 'Oldest']),
          selector: { matchLabels: { key: 'value', ...labels } },
          template,
          ...(random.boolean() ? { minReadySeconds: 1 + random.below(99) } : {}),
        },
        status: {
          replicas: random.below(9),
          readyReplicas: 1 + random.below(9),
          fullyLabeledReplicas: 1,
          availableReplicas: 2,
        },
      }),
    ) as mapiv1beta1.MachineSet;
  },
  broken({ name, facts }, set) {
    const platform = platformConversion(name)!;
    const there = machineSetToClusterApi(set, platform, facts);
    const back = machineSetToMachineApi(there.value, platform, facts);
    const spec = ({ spec: { template, ...rest } }: mapiv1beta1.MachineSet) => ({
      ...rest,
      template: {
        ...template,
        spec: { ...template?.spec, providerSpec: normal(platform.providerSpec, template?.spec.providerSpec?.value) },
      },
    });
    return [
      ...said(there),
      ...said(back),
      ...differences({
        metadata: [set.metadata, { ...back.value.metadata, namespace: undefined }],
        spec: [spec(set), spec(back.value)],
        status: [set.status, { ...back.value.status, labelSelector: undefined }],
      }),
    ];
  },
};

interface ClusterApiSet {
  readonly machineSet: capiv1beta2.MachineSet;
  readonly infraSpec: object;
}

const clusterApiSet: Law<ClusterApiSet> = {
  make(platform, random) {
    const { metadata, spec, infraSpec } = arbitraryClusterApiSpec(platform, random);
    const ready = 1 + random.below(5);
    return {
      machineSet: {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'MachineSet',
        metadata: { name: 'workers', labels: { ...random.map(), 'cluster.x-k8s.io/cluster-name': 'prod-x7k2p' } },
        spec: {
          clusterName: 'prod-x7k2p',
          replicas: random.below(9),
          deletion: { order: random.pick(['Random', 'Newest', 'Oldest']) },
          selector: { matchLabels: { key: 'value', ...random.map() } },
          template: { metadata, spec: { ...spec, infrastructureRef: infraRef(platform, 'template', 'workers') } },
        },
        status: { replicas: ready, readyReplicas: ready, deprecated: { v1beta1: { readyReplicas: ready } } },
      },
      infraSpec,
    };
  },
  broken({ name, facts }, { machineSet, infraSpec }) {
    const platform = platformConversion(name)!;
    const template: InfraTemplate = { apiVersion: '', kind: '', metadata: {}, spec: { template: { spec: infraSpec } } };
    const there = machineSetToMachineApi({ machineSet, template }, platform, facts);
    const back = machineSetToClusterApi(there.value, platform, facts);
    const again = back.value.machineSet;
    const { infrastructureRef } = again.spec.template.spec;
    const renamed = {
      ...again.spec,
      template: {
        ...again.spec.template,
        spec: { ...again.spec.template.spec, infrastructureRef: { ...infrastructureRef, name: 'workers' } },
      },
    };
    return [
      ...said(there),
      ...said(back),
      ...(/^workers-[0-9a-f]{8}$/.test(infrastructureRef.name) ? [] : [`template named ${infrastructureRef.name}`]),
      ...differences({
        metadata: [machineSet.metadata, { ...again.metadata, namespace: undefined }],
        spec: [machineSet.spec, renamed],
        status: [machineSet.status, { ...again.status, selector: undefined }],
        'infra spec': [normal(platform.infraSpec, infraSpec), back.value.template.spec.template.spec],
      }),
    ];
  },
};

/** The first made-up value that breaks the law, as small as it can be made, with the seed to find it again. */
function counterexample<T>(platform: PlatformCase, { make, broken }: Law<T>): string | undefined {
  for (let seed = firstSeed; seed < firstSeed + roundTrips; seed++) {
    const value = make(platform, new Random(seed));
    const problems = broken(platform, value);
    if (problems.length === 0) continue;
    // Smaller values must break the law in the same way, not by having become invalid.
    const kind = problems[0]!.split(':')[0];
    const small = shrink(value, (smaller) => {
      try {
        return broken(platform, smaller)[0]?.split(':')[0] === kind;
      } catch {
        return false;
      }
    });
    return `seed ${seed}\n${broken(platform, small).join('\n')}\n${JSON.stringify(small)}`;
  }
  return undefined;
}

describe.each(platformCases.map((platform) => [platform.name, platform] as const))(
  'Round trips on %s',
  (_, platform) => {
    it('When a machine of the Machine API goes there and back, it should be the same', () => {
      expect(counterexample(platform, machineApiMachine)).toBeUndefined();
    });

    it('When a set of the Machine API goes there and back, it should be the same', () => {
      expect(counterexample(platform, machineApiSet)).toBeUndefined();
    });

    it('When a machine of Cluster API goes there and back, it should be the same', () => {
      expect(counterexample(platform, clusterApiMachine)).toBeUndefined();
    });

    it('When a set of Cluster API goes there and back, it should be the same', () => {
      expect(counterexample(platform, clusterApiSet)).toBeUndefined();
    });
  },
);
