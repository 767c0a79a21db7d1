import { describe, expect, it } from 'vitest';
import { aPool } from '../testing/pools.ts';
import { tuningConfigMaps } from './config-maps.ts';
import { tuningDocuments } from './documents.ts';
import { profileVerdicts } from './profile-status.ts';

const tuned = (name: string) => `apiVersion: tuned.openshift.io/v1
kind: Tuned
metadata:
  name: ${name}
spec:
  profile:
  - name: ${name}
    data: "[main]"
`;
const profile = `apiVersion: performance.openshift.io/v2
kind: PerformanceProfile
metadata:
  name: fast
spec:
  cpu:
    isolated: 1-3
`;
const source = (name: string, tuning: string) => ({ name, data: { tuning } });

describe('tuningDocuments', () => {
  it('When several ConfigMaps hold Tuned objects, they should become one text, sorted', () => {
    const found = tuningDocuments([source('b', tuned('b')), source('a', `${tuned('z')}---\n${tuned('a')}`)]);
    expect(found.tuned.split('\n---\n').map((text) => /name: (\w)/.exec(text)?.[1])).toEqual(['a', 'b', 'z']);
    expect(found.profile).toBeUndefined();
  });

  it.each([
    [[source('a', 'kind: Pod\napiVersion: v1\n')], 'may hold Tuned or PerformanceProfile objects only'],
    [[source('a', profile), source('b', profile)], 'may have one PerformanceProfile, found 2 in a, b'],
    [[source('a', profile.replace('cpu:', 'cpus:'))], 'unknown fields in spec of its PerformanceProfile: cpus'],
    [[source('a', '{{{')], 'configmap "a" holds no YAML'],
    [[{ name: 'a', data: {} }], 'configmap "a" has no key "tuning"'],
  ])('When it is wrong, it should say what to change (%#)', (sources, message) => {
    expect(() => tuningDocuments(sources)).toThrow(message);
  });
});

describe('tuningConfigMaps', () => {
  it('When a pool tunes its nodes, the node tuning operator should find profile, Tuned and kubelet settings', () => {
    const kubelet = 'apiVersion: machineconfiguration.openshift.io/v1\nkind: KubeletConfig\nmetadata:\n  name: k\n';
    const documents = tuningDocuments([source('perf', profile), source('t', tuned('t'))]);
    const maps = tuningConfigMaps(aPool(), 'clusters-demo', documents, [
      { name: 'kubelet', data: { config: kubelet } },
      { name: 'files', data: { config: 'apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfig\n' } },
    ]);
    expect(maps.map(({ metadata }) => [metadata.name, Object.keys(metadata.labels ?? {})])).toEqual([
      ['tuned-workers', ['hypershift.openshift.io/tuned-config', 'hypershift.openshift.io/nodePool']],
      ['perf-workers', ['hypershift.openshift.io/performanceprofile-config', 'hypershift.openshift.io/nodePool']],
      [
        'kubelet-workers',
        [
          'hypershift.openshift.io/mirrored-config',
          'hypershift.openshift.io/kubeletconfig-config',
          'hypershift.openshift.io/nodePool',
        ],
      ],
    ]);
  });
});

describe('profileVerdicts', () => {
  const map = (status: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data: { status } }) as const;

  it('When the profile is in force, the pool should say so in its own words', () => {
    const status =
      'conditions:\n- type: Available\n  status: "True"\n  reason: r\n  message: m\n- type: Odd\n  status: "True"\n';
    expect(profileVerdicts(map(status))).toEqual([
      { type: 'performance.operator.openshift.io/Available', status: 'True', reason: 'r', message: 'm' },
    ]);
  });

  it('When it cannot be read, nothing should be said', () => {
    expect(profileVerdicts(map('{{{'))).toEqual([]);
    expect(profileVerdicts(map('conditions: 3'))).toEqual([]);
  });
});
