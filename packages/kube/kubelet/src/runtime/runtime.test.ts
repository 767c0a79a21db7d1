import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { BuiltinRegistry } from './builtin-runtime.ts';
import { hostProgramFor } from './host-commands.ts';
import { matchesImage, matchesWildcard, parseImage } from './image-pattern.ts';
import { hostPathOf, rewritePaths } from './mount-paths.ts';
import { processRuntime } from './process-runtime.ts';
import { simulationAnnotations } from './runtime-resolver.ts';
import { simulatedCourse } from './simulated-runtime.ts';

const mounts = [
  { mountPath: '/etc/app', hostPath: '/data/v1', readOnly: true },
  { mountPath: '/etc/app/extra/', hostPath: '/data/v2', readOnly: true },
  { mountPath: '/var/run/secrets', hostPath: '/data/v3', readOnly: true },
];

describe('rewritePaths', () => {
  it.each([
    ['/etc/app/config.yaml', '/data/v1/config.yaml'],
    ['--config=/etc/app/config.yaml', '--config=/data/v1/config.yaml'],
    ['--a=/etc/app:/etc/app/extra/x', '--a=/data/v1:/data/v2/x'],
    ['cat "/etc/app/a" > /var/run/secrets', 'cat "/data/v1/a" > /data/v3'],
    ['/etc/apple', '/etc/apple'],
    ['/opt/etc/app', '/opt/etc/app'],
    ['https://host/etc/app', 'https://host/etc/app'],
    ['https://etc/app', 'https://etc/app'],
    ['plain', 'plain'],
    ['', ''],
  ])('When the text is %s, it should become %s', (text, expected) => {
    expect(rewritePaths(text, mounts)).toBe(expected);
  });

  it('When a path is in no volume, it should lie below the container root', () => {
    expect(hostPathOf('/tmp/x', mounts, '/root-of-it')).toBe('/root-of-it/tmp/x');
    expect(hostPathOf('/etc/app/extra', mounts, '/root-of-it')).toBe('/data/v2');
  });
});

describe('image patterns', () => {
  it.each([
    ['etcd', 'registry.example.org:5000/team/etcd:3.5@sha256:aa', true],
    ['etcd', 'example.org/etcd-operator:1', false],
    ['example.org/team/*', 'example.org/team/app:v1', true],
    ['*', 'anything', true],
    ['hyper*shift', 'quay/hyper-x-shift:1', true],
    ['hyper*shift', 'quay/hypershi:1', false],
    ['app:v1', 'app:v1', true],
  ])('When the pattern is %s and the image %s, it should answer %s', (pattern, image, expected) => {
    expect(matchesImage(pattern, image)).toBe(expected);
  });

  it('When the pattern is hostile, it should still answer at once', () => {
    const began = performance.now();
    expect(matchesWildcard('*a'.repeat(50), 'a'.repeat(5000).concat('b'))).toBe(false);
    expect(performance.now() - began).toBeLessThan(100);
  });

  it('When an image has a port and a digest, its parts should be found', () => {
    expect(parseImage('localhost:5000/a/b:c@sha256:d')).toEqual({
      repository: 'localhost:5000/a/b',
      base: 'b',
      tag: 'c',
    });
  });
});

describe('which runtime', () => {
  const run = async () => 0;
  it('When an entry names images and commands, both should have to match', () => {
    const registry = new BuiltinRegistry().register({
      name: 'kas',
      images: ['hyperkube'],
      commands: ['kube-apiserver'],
      run,
    });
    expect(registry.find({ name: 'a', image: 'x/hyperkube:1', command: ['/usr/bin/kube-apiserver'] })?.name).toBe(
      'kas',
    );
    expect(registry.find({ name: 'a', image: 'x/hyperkube:1', command: ['kube-scheduler'] })).toBeUndefined();
    expect(registry.find({ name: 'a', image: 'x/other', command: ['kube-apiserver'] })).toBeUndefined();
  });

  it('When a program is not configured, it should not run on this machine', () => {
    const runtime = processRuntime([{ images: ['etcd'], entrypoint: ['/usr/bin/etcd'] }]);
    const pod = {} as corev1.Pod;
    expect(runtime.accepts({ name: 'a', image: 'q/etcd:3' }, pod)).toBe(true);
    expect(runtime.accepts({ name: 'a', image: 'q/etcd:3', command: ['sh', '-c', 'rm'] }, pod)).toBe(false);
    expect(hostProgramFor('sh', {})).toBeUndefined();
    expect(hostProgramFor('/no/such/place/sh', { anyOnPath: true })).toBe('sh');
  });

  it('When some containers are simulated, the annotations should name them', () => {
    const simulated = { name: 'simulated' as const, accepts: () => true, start: async () => Promise.reject() };
    expect(simulationAnnotations([{ name: 'a', runtime: simulated }])).toEqual({
      'hypershift-ts.io/runtime': 'simulated',
    });
    expect(
      simulationAnnotations([
        { name: 'a', runtime: simulated },
        { name: 'b', runtime: undefined },
      ]),
    ).toEqual({
      'hypershift-ts.io/runtime': 'simulated',
      'hypershift-ts.io/simulated-containers': 'a',
    });
    expect(simulationAnnotations([{ name: 'b', runtime: undefined }])).toBeUndefined();
  });
});

describe('simulatedCourse', () => {
  const pod = (restartPolicy: string, annotations: Record<string, string> = {}): corev1.Pod => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { annotations },
    spec: { restartPolicy, containers: [] },
  });
  it.each([
    ['Always', {}, 'main', { endsAfterMs: undefined, exitCode: 0 }],
    ['Never', {}, 'main', { endsAfterMs: 1000, exitCode: 0 }],
    ['Always', {}, 'init', { endsAfterMs: 0, exitCode: 0 }],
    ['Never', {}, 'sidecar', { endsAfterMs: undefined, exitCode: 0 }],
    ['Always', { 'hypershift-ts.io/simulated-exit-code': '2' }, 'main', { endsAfterMs: 1000, exitCode: 2 }],
    ['Never', { 'hypershift-ts.io/simulated-runtime-seconds': '90' }, 'main', { endsAfterMs: 90_000, exitCode: 0 }],
    ['Never', { 'hypershift-ts.io/simulated-exit-code': 'oops' }, 'main', { endsAfterMs: 1000, exitCode: 0 }],
  ] as const)('When the policy is %s with %j as %s, it should be %j', (policy, annotations, role, course) => {
    expect(simulatedCourse(pod(policy, annotations), role, {})).toEqual(course);
  });
});
