import { describe, expect, it } from 'vitest';
import type { NodePool } from '../node-pool/index.ts';
import { aHostedCluster, aNodePool } from '../testing/builders.ts';
import { nodePoolWarnings, pauseOf, validateNodePool, validPlatformConfig } from './index.ts';

const management = (fields: object) => ({ management: { upgradeType: 'Replace', autoRepair: false, ...fields } });

const cases: readonly { when: string; spec: object; facts?: object; fields: readonly string[] }[] = [
  { when: 'nothing is wrong', spec: {}, fields: [] },
  { when: 'replicas are negative', spec: { replicas: -3 }, fields: ['spec.replicas'] },
  { when: 'AWS has no settings', spec: { platform: { type: 'AWS' } }, fields: ['spec.platform.aws'] },
  { when: 'KubeVirt has no settings', spec: { platform: { type: 'KubeVirt' } }, fields: [] },
  {
    when: 'the platform is not the one of the cluster',
    spec: { platform: { type: 'KubeVirt' } },
    facts: { hostedCluster: aHostedCluster() },
    fields: ['spec.platform.type'],
  },
  {
    when: 'replacing has no strategy',
    spec: management({ replace: {} }),
    fields: ['spec.management.replace.strategy'],
  },
  {
    when: 'a rolling replacement has no limits',
    spec: management({ replace: { strategy: 'RollingUpdate' } }),
    fields: ['spec.management.replace.rollingUpdate'],
  },
  { when: 'machines are replaced on deletion', spec: management({ replace: { strategy: 'OnDelete' } }), fields: [] },
  {
    when: 'a percentage is none',
    spec: management({
      replace: { strategy: 'RollingUpdate', rollingUpdate: { maxSurge: '110%', maxUnavailable: 'x' } },
    }),
    fields: ['spec.management.replace.rollingUpdate.maxSurge', 'spec.management.replace.rollingUpdate.maxUnavailable'],
  },
  {
    when: 'in place updates have an empty replace',
    spec: management({ upgradeType: 'InPlace', replace: {} }),
    fields: [],
  },
  { when: 'the architecture is unknown to the platform', spec: { arch: 'ppc64le' }, fields: ['spec.arch'] },
  {
    when: 'the release has another architecture',
    spec: { arch: 'arm64' },
    facts: { hostedCluster: { ...aHostedCluster(), status: { payloadArch: 'AMD64' } } },
    fields: ['spec.arch'],
  },
  {
    when: 'autoscaling starts at zero',
    spec: { replicas: undefined, autoScaling: { min: 0, max: 3 } },
    fields: ['spec.autoScaling.min'],
  },
  {
    when: 'a capacity reservation comes too early',
    spec: { platform: { type: 'AWS', aws: { placement: { capacityReservation: {} } } } },
    facts: { controlPlaneVersion: '4.18.2' },
    fields: ['spec.platform.aws.placement.capacityReservation'],
  },
  {
    when: 'a virtual machine has no network',
    spec: { platform: { type: 'KubeVirt', kubevirt: { attachDefaultNetwork: false } } },
    fields: ['spec.platform.kubevirt.attachDefaultNetwork'],
  },
  {
    when: 'a taint is repeated',
    spec: {
      taints: [
        { key: 'gpu', effect: 'NoSchedule' },
        { key: 'gpu', effect: 'NoSchedule', value: 'x' },
      ],
    },
    fields: ['spec.taints[1]'],
  },
  { when: 'a node label cannot be one', spec: { nodeLabels: { ok: 'no/slash' } }, fields: ['spec.nodeLabels[ok]'] },
  {
    when: 'a timeout is none',
    spec: { nodeDrainTimeout: 'soon', nodeVolumeDetachTimeout: '1h30m' },
    fields: ['spec.nodeDrainTimeout'],
  },
];

describe('validateNodePool', () => {
  it.each(cases)('When $when, it should name $fields', ({ spec, facts = {}, fields }) => {
    expect(validateNodePool(aNodePool(spec), facts).map(({ field }) => field)).toEqual(fields);
  });

  it('When there is no spec, it should say so', () => {
    const pool = { ...aNodePool(), spec: undefined } as unknown as NodePool;
    expect(validPlatformConfig(validateNodePool(pool))).toMatchObject({
      status: 'False',
      message: 'spec: Required value',
    });
  });

  it.each([
    ['hello', 'must be a JSON Patch: a list of operations'],
    ['[{"op":"add","path":"/spec"}]', '[0].value: Required value'],
    ['[{"op":"paint","path":"/spec","value":1}]', '[0].op: Unsupported value'],
    ['[{"op":"remove","path":"/spec/x"}]', ''],
  ])('When the virtual machine patch is %s, it should complain %s', (patch, complaint) => {
    const metadata = { annotations: { 'hypershift.openshift.io/kubevirt-vm-jsonpatch': patch } };
    const errors = validateNodePool(aNodePool({ platform: { type: 'KubeVirt' } }, metadata));
    expect(errors.map(({ field, message }) => `${field}: ${message}`).join()).toContain(complaint);
    expect(errors.length > 0).toBe(complaint !== '');
  });
});

describe('nodePoolWarnings', () => {
  it('When nothing says how many machines, it should warn', () => {
    expect(nodePoolWarnings(aNodePool({ replicas: undefined }))).toEqual([
      'spec.replicas: neither replicas nor autoScaling is set; the pool has no machines',
    ]);
  });
});

describe('pauseOf', () => {
  it.each([
    [undefined, 'none'],
    ['false', 'none'],
    ['True', 'forever'],
    ['2030-01-01T00:00:00Z', { until: new Date('2030-01-01T00:00:00Z') }],
    ['2030-13-01T00:00:00Z', 'invalid'],
    ['2030-01-01T00:00:00', 'invalid'],
  ])('When pausedUntil is %s, it should be %o', (text, pause) => {
    expect(pauseOf(text)).toEqual(pause);
  });
});
