import { applyMergePatch, formatFieldError, type JsonObject } from '@hypershift-ts/kube-apimachinery';
import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { describe, expect, it } from 'vitest';
import type { ClusterFacts, InfrastructureFacts } from '../index.ts';
import { machineToClusterApi, machineToMachineApi, platformConversion } from '../index.ts';
import { readVector, vectorsPresent } from '../testing/vectors.ts';
import type { Conversion } from './findings.ts';

/** One input and what has to be said about it; see README.md beside the vectors. */
interface ConversionCase {
  readonly id: string;
  readonly platform: string;
  readonly direction: 'mapi2capi' | 'capi2mapi';
  readonly providerSpec?: { readonly mergePatch?: JsonObject; readonly replace?: JsonObject };
  readonly infraMachineSpecMergePatch?: JsonObject;
  readonly infraClusterSpecMergePatch?: JsonObject;
  readonly machineMergePatch?: JsonObject;
  readonly infrastructureStatus?: InfrastructureFacts;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

const { defaults, cases } = readVector<{
  readonly defaults: {
    readonly infrastructureStatus: InfrastructureFacts;
    readonly 'capi2mapi.infraMachineSpec': { readonly [platform: string]: JsonObject };
    readonly 'mapi2capi.providerSpec': { readonly [platform: string]: string };
  };
  readonly cases: readonly ConversionCase[];
}>('conversion-cases.json', {
  defaults: {
    infrastructureStatus: { infrastructureName: '' },
    'capi2mapi.infraMachineSpec': {},
    'mapi2capi.providerSpec': {},
  },
  cases: [],
});

function convert(entry: ConversionCase): Conversion<unknown> {
  const platform = platformConversion(entry.platform)!;
  const { kinds } = platform;
  const facts: ClusterFacts = {
    infrastructure: entry.infrastructureStatus ?? defaults.infrastructureStatus,
    infraCluster: {
      apiVersion: `${kinds.cluster.group}/${kinds.cluster.version}`,
      kind: kinds.cluster.kind,
      metadata: { name: 'sample-cluster-name' },
      spec: applyMergePatch({}, entry.infraClusterSpecMergePatch ?? {}) as object,
    },
    now: '2026-01-01T00:00:00Z',
  };
  const patched = <T>(object: T) => applyMergePatch(object as JsonObject, entry.machineMergePatch ?? {}) as T;
  if (entry.direction === 'mapi2capi') {
    const sample = readVector<JsonObject>(defaults['mapi2capi.providerSpec'][entry.platform]!, {});
    const { replace, mergePatch } = entry.providerSpec ?? {};
    const value = replace ?? applyMergePatch(sample, mergePatch ?? {});
    const machine = {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'Machine',
      metadata: { name: 'sample', namespace: 'openshift-machine-api' },
      spec: { providerSpec: { value: value as { readonly [field: string]: unknown } } },
    } satisfies mapiv1beta1.Machine;
    return machineToClusterApi(patched<mapiv1beta1.Machine>(machine), platform, facts);
  }
  const machine: capiv1beta2.Machine = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name: 'sample', namespace: 'openshift-cluster-api' },
    spec: {
      clusterName: 'sample-cluster-name',
      bootstrap: {},
      infrastructureRef: { apiGroup: kinds.machine.group, kind: kinds.machine.kind, name: 'sample' },
    },
  };
  const infraMachine = {
    apiVersion: `${kinds.machine.group}/${kinds.machine.version}`,
    kind: kinds.machine.kind,
    metadata: { name: 'sample', namespace: 'openshift-cluster-api' },
    spec: applyMergePatch(
      defaults['capi2mapi.infraMachineSpec'][entry.platform]!,
      entry.infraMachineSpecMergePatch ?? {},
    ) as object,
  };
  return machineToMachineApi({ machine: patched(machine), infraMachine }, platform, facts);
}

/** Texts without an expectation, and expectations without a text. */
function unmatched(texts: readonly string[], expected: readonly string[]): readonly string[] {
  const left = [...texts];
  const missing = expected.filter((part) => {
    const index = left.findIndex((text) => text.includes(part));
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
  return [...left.map((text) => `unexpected: ${text}`), ...missing.map((part) => `missing: ${part}`)];
}

describe.skipIf(!vectorsPresent)('The conversion cases of upstream', () => {
  it('When they are counted, it should have found all of them', () => {
    expect(cases).toHaveLength(100);
  });

  it.each(cases.map((entry) => [entry.id, entry] as const))(
    'When %s is converted, it should say what upstream says',
    (_, entry) => {
      const { errors, warnings } = convert(entry);
      expect(unmatched(errors.map(formatFieldError), entry.errors)).toEqual([]);
      expect(unmatched(warnings.map(formatFieldError), entry.warnings)).toEqual([]);
    },
  );
});
