import { jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { describe, expect, it } from 'vitest';
import { machineToClusterApi, machineToMachineApi, platformConversion } from '../index.ts';
import { type FieldPath, fieldAt, fieldPaths, withField } from '../testing/field-paths.ts';
import { commonLosses, losses } from '../testing/losses.ts';
import { type PlatformCase, platformCases } from '../testing/platforms/index.ts';

type Fate = 'kept' | 'refused' | 'warned' | 'lost';

const machineApiMachine = (value: object): mapiv1beta1.Machine => ({
  apiVersion: 'machine.openshift.io/v1beta1',
  kind: 'Machine',
  metadata: { name: 'worker' },
  spec: { providerSpec: { value: { ...value } } },
});

const clusterApiMachine = (infra: object, { failureDomains }: PlatformCase) => {
  const machine: capiv1beta2.Machine = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name: 'worker' },
    spec: {
      clusterName: 'prod-x7k2p',
      bootstrap: {},
      infrastructureRef: { apiGroup: '', kind: '', name: '' },
      ...(failureDomains?.[0] ? { failureDomain: failureDomains[0] } : {}),
    },
  };
  return { machine, infraMachine: { apiVersion: '', kind: '', metadata: {}, spec: infra } };
};

function fate(
  path: FieldPath,
  value: unknown,
  { errors, warnings }: { readonly errors: readonly unknown[]; readonly warnings: readonly unknown[] },
  after: () => unknown,
): Fate {
  if (errors.length > 0) return 'refused';
  if (warnings.length > 0) return 'warned';
  return jsonEqual(fieldAt(after(), path), value) ? 'kept' : 'lost';
}

function valueFor({ leaf, text }: FieldPath, samples: { readonly [path: string]: unknown } = {}): unknown {
  if (Object.hasOwn(samples, text)) return samples[text];
  if (leaf.kind === 'text') return 'census';
  if (leaf.kind === 'boolean') return true;
  return leaf.kind === 'raw' ? { census: 'census' } : 7;
}

/** What becomes of each field of a provider spec on its way to Cluster API and back. */
function providerSpecCensus(platform: PlatformCase): Map<string, Fate> {
  const conversion = platformConversion(platform.name)!;
  const { base, samples } = platform.providerSpec;
  return new Map(
    fieldPaths(conversion.providerSpec).map((path) => {
      const value = valueFor(path, samples);
      const there = machineToClusterApi(machineApiMachine(withField(base, path, value)), conversion, platform.facts);
      const back = () => machineToMachineApi(there.value, conversion, platform.facts).value.spec.providerSpec?.value;
      return [path.text, fate(path, value, there, back)];
    }),
  );
}

/** What becomes of each field of an InfraMachine on its way to the Machine API and back. */
function infraSpecCensus(platform: PlatformCase): Map<string, Fate> {
  const conversion = platformConversion(platform.name)!;
  const { base, samples } = platform.infraSpec;
  return new Map(
    fieldPaths(conversion.infraSpec).map((path) => {
      const value = valueFor(path, samples);
      const objects = clusterApiMachine(withField(base, path, value), platform);
      const there = machineToMachineApi(objects, conversion, platform.facts);
      const back = () => machineToClusterApi(there.value, conversion, platform.facts).value.infraMachine.spec;
      return [path.text, fate(path, value, there, back)];
    }),
  );
}

const known = (platform: string, side: 'providerSpec' | 'infraSpec') =>
  Object.keys({ ...commonLosses[side], ...losses[platform]?.[side] }).sort();

const lost = (census: Map<string, Fate>) =>
  [...census].filter(([, outcome]) => outcome === 'lost').map(([path]) => path);

describe.each(platformCases.map((platform) => [platform.name, platform] as const))(
  'The fields of %s',
  (name, platform) => {
    it('When a provider spec is converted, it should keep or refuse each field that is not a known loss', () => {
      expect(lost(providerSpecCensus(platform)).sort()).toEqual(known(name, 'providerSpec'));
    });

    it('When an InfraMachine is converted, it should keep or refuse each field that is not a known loss', () => {
      expect(lost(infraSpecCensus(platform)).sort()).toEqual(known(name, 'infraSpec'));
    });

    it('When nothing special is said, it should have nothing to say either', () => {
      const conversion = platformConversion(name)!;
      const there = machineToClusterApi(machineApiMachine(platform.providerSpec.base), conversion, platform.facts);
      const back = machineToMachineApi(
        clusterApiMachine(platform.infraSpec.base, platform),
        conversion,
        platform.facts,
      );
      expect([there.errors, there.warnings, back.errors, back.warnings]).toEqual([[], [], [], []]);
    });
  },
);
