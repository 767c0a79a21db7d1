import {
  applySchemaDefaults,
  type CrdManifestObject,
  formatFieldError,
  jsonClone,
  type KubeObject,
  pruneUnknownFields,
  type ResourceType,
  validateValue,
} from '@hypershift-ts/kube-apimachinery';
import { capiv1beta2, clusterApiCrds } from '@hypershift-ts/machines-cluster-api';
import { machineApiCrds, mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { infrastructureProviders, providerCrds } from '@hypershift-ts/machines-providers';
import { describe, expect, it } from 'vitest';
import { machineSetToClusterApi, machineToClusterApi, machineToMachineApi, platformConversion } from '../index.ts';
import { arbitraryMachineApiSpec, arbitraryMachineApiStatus } from '../testing/machines.ts';
import { type PlatformCase, platformCases } from '../testing/platforms/index.ts';
import { Random } from '../testing/random.ts';

const crds: readonly CrdManifestObject[] = [
  ...clusterApiCrds({}),
  ...machineApiCrds({ migration: true }),
  ...infrastructureProviders.flatMap(providerCrds),
];

function schemaOf({ group, version, kind }: ResourceType<KubeObject>) {
  const crd = crds.find(({ spec }) => spec.group === group && spec.names.kind === kind);
  return crd?.spec.versions.find(({ name }) => name === version)?.schema.openAPIV3Schema;
}

/** What an API server would refuse, drop or add. */
function corrections(type: ResourceType<KubeObject>, object: KubeObject): readonly string[] {
  const schema = schemaOf(type)!;
  const stored = jsonClone(object);
  const dropped = pruneUnknownFields(stored, schema, { resourceRoot: true }).map((path) => `dropped: ${path}`);
  applySchemaDefaults(stored, schema);
  const added = JSON.stringify(sorted(stored)) === JSON.stringify(sorted(object)) ? [] : ['defaults were added'];
  return [...dropped, ...added, ...validateValue(stored, schema).map(formatFieldError)];
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  );
}

function machineOf(platform: PlatformCase): mapiv1beta1.Machine {
  const random = new Random(3);
  return {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: { name: 'worker', namespace: 'openshift-machine-api' },
    spec: { authoritativeAPI: 'MachineAPI', providerSpec: { value: { ...platform.providerSpec.base } } },
    status: { ...arbitraryMachineApiStatus(random), phase: 'Running' },
  };
}

describe.each(platformCases.map((platform) => [platform.name, platform] as const))(
  'Objects of %s',
  (name, platform) => {
    const conversion = platformConversion(name)!;
    const { machine: infraType, template: templateType } = conversion.kinds;
    const isKnown = schemaOf(infraType) !== undefined;

    it('When a machine is converted, it should be stored by Cluster API as it is', () => {
      const { value } = machineToClusterApi(machineOf(platform), conversion, platform.facts);
      expect(corrections(capiv1beta2.machines, value.machine)).toEqual([]);
    });

    it('When it comes back, it should be stored by the Machine API as it is', () => {
      const { value } = machineToClusterApi(machineOf(platform), conversion, platform.facts);
      const back = machineToMachineApi(value, conversion, platform.facts).value;
      const authority = { ...back, spec: { ...back.spec, authoritativeAPI: 'MachineAPI' as const } };
      expect(corrections(mapiv1beta1.machines, authority)).toEqual([]);
    });

    it('When a set is converted, it should be stored by Cluster API as it is', () => {
      const set: mapiv1beta1.MachineSet = {
        apiVersion: 'machine.openshift.io/v1beta1',
        kind: 'MachineSet',
        metadata: { name: 'workers' },
        spec: {
          replicas: 2,
          selector: { matchLabels: { 'machine.openshift.io/cluster-api-machineset': 'workers' } },
          template: {
            metadata: { labels: { 'machine.openshift.io/cluster-api-machineset': 'workers' } },
            spec: machineOf(platform).spec,
          },
        },
        status: { replicas: 2, readyReplicas: 1 },
      };
      const { value } = machineSetToClusterApi(set, conversion, platform.facts);
      expect(corrections(capiv1beta2.machinesets, value.machineSet)).toEqual([]);
      expect(isKnown ? corrections(templateType, value.template) : []).toEqual([]);
    });

    // A field that the server adds looks like somebody's change: the InfraMachine would be made anew again and again.
    it.skipIf(!isKnown)('When InfraMachines are stored, it should get nothing added and lose nothing', () => {
      const { value } = machineToClusterApi(machineOf(platform), conversion, platform.facts);
      expect(corrections(infraType, value.infraMachine)).toEqual([]);
      for (let seed = 1; seed <= 40; seed++) {
        const made = { ...machineOf(platform), spec: arbitraryMachineApiSpec(platform, new Random(seed)).spec };
        const { infraMachine } = machineToClusterApi(made, conversion, platform.facts).value;
        // Names are made up, so some are too long or not in a list: that is not what this is about.
        const changed = corrections(infraType, infraMachine).filter((text) => /^(dropped|defaults)/.test(text));
        expect(changed, `seed ${seed}`).toEqual([]);
      }
    });
  },
);
