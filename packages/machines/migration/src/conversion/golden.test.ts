import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { describe, expect, it } from 'vitest';
import {
  type InfrastructureFacts,
  machineSetToClusterApi,
  machineToClusterApi,
  machineToMachineApi,
  platformConversion,
  templateName,
} from '../index.ts';
import { aws as awsCase } from '../testing/platforms/aws.ts';
import { readVector, vectorsPresent } from '../testing/vectors.ts';
import { goJson } from './template-name.ts';

const golden = readVector<{
  readonly infrastructureStatus: InfrastructureFacts;
  readonly input: mapiv1beta1.Machine;
  readonly machine: object;
  readonly infraMachine: object;
  readonly providerSpecAfterRoundTrip: object;
}>('golden/aws-machine.json', {} as never);

const named = readVector<{ readonly machineSet: string; readonly hashedJSON: string; readonly templateName: string }>(
  'golden/aws-template-name.json',
  {} as never,
);

const aws = platformConversion('AWS')!;

/** The golden objects carry no times and no empty messages. */
function withoutTimes(value: object): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, part: unknown) =>
      key === 'lastTransitionTime' || (key === 'message' && part === '') ? undefined : part,
    ),
  );
}

describe.skipIf(!vectorsPresent)('The golden machine on AWS', () => {
  const facts = { infrastructure: golden.infrastructureStatus, now: '2026-01-01T00:00:00Z' };

  it('When it is converted, it should be the golden pair', () => {
    const { value, errors, warnings } = machineToClusterApi(golden.input, aws, facts);
    expect([...errors, ...warnings]).toEqual([]);
    expect(withoutTimes(value.machine)).toEqual(golden.machine);
    expect(withoutTimes(value.infraMachine)).toEqual(golden.infraMachine);
  });

  it('When it comes back, it should have the golden provider spec', () => {
    const { value } = machineToClusterApi(golden.input, aws, facts);
    const infraCluster = {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'AWSCluster',
      metadata: { name: 'sample-cluster-name' },
      spec: { region: 'us-east-1' },
    };
    const back = machineToMachineApi(value, aws, { ...facts, infraCluster });
    expect([...back.errors, ...back.warnings]).toEqual([]);
    expect(back.value.spec.providerSpec!.value).toEqual(golden.providerSpecAfterRoundTrip);
  });

  it('When a set of such machines is converted, it should name its template by the golden hash', () => {
    const set: mapiv1beta1.MachineSet = {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'MachineSet',
      metadata: { name: named.machineSet, namespace: 'openshift-machine-api' },
      spec: { template: { spec: { providerSpec: golden.input.spec.providerSpec! } } },
    };
    const { template } = machineSetToClusterApi(set, aws, facts).value;
    expect(goJson(template.spec.template.spec)).toBe(named.hashedJSON);
    expect(template.metadata.name).toBe(named.templateName);
  });
});

describe('templateName', () => {
  it('When a provider spec says the same in another order, it should be the same name', () => {
    const { facts, providerSpec } = awsCase;
    const named = (value: { readonly [field: string]: unknown }) =>
      machineSetToClusterApi(
        {
          apiVersion: 'machine.openshift.io/v1beta1',
          kind: 'MachineSet',
          metadata: { name: 'workers' },
          spec: { template: { spec: { providerSpec: { value } } } },
        },
        aws,
        facts,
      ).value.template.metadata.name;
    const base = Object.entries({ ...providerSpec.base, tags: [{ name: 'a', value: '<b>' }] });
    const name = named(Object.fromEntries(base));
    expect(named(Object.fromEntries(base.toReversed()))).toBe(name);
    expect(named(Object.fromEntries([...base, ['instanceType', 'm6i.2xlarge']]))).not.toBe(name);
  });

  it('When a spec has characters that Go escapes, it should hash them escaped', () => {
    expect(goJson({ a: '<&>\u2028' })).toBe('{"a":"\\u003c\\u0026\\u003e\\u2028"}');
  });

  it('When a hash is short, it should still have eight digits', () => {
    expect(templateName('workers', { n: 4759 })).toBe('workers-0009108c');
  });
});
