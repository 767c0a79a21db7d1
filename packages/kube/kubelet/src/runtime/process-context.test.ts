import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@hypershift-ts/kube-apimachinery';
import { afterAll, describe, expect, it } from 'vitest';
import { namesFrom, parseHosts } from './container-description.ts';
import { processContext } from './process-context.ts';

const folder = mkdtempSync(join(tmpdir(), 'process-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const around = (env: Record<string, string>, ...command: string[]) =>
  processContext({
    command,
    args: ['--verbose'],
    env,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: new AbortController().signal,
    clock: systemClock,
  });

describe('processContext', () => {
  it('When a node of ours started the process, it should know its container as a builtin program would', () => {
    const file = join(folder, 'container.json');
    const namesFile = join(folder, 'names');
    writeFileSync(namesFile, '127.70.0.9 kube-apiserver kube-apiserver.clusters-demo.svc # the hosted one\n');
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'scheduler-1', namespace: 'clusters-demo' } };
    const mounts = [{ mountPath: '/etc/certs', hostPath: '/srv/volumes/certs', readOnly: true }];
    const description = { pod, container: { name: 'scheduler', image: 'hyperkube' }, command: ['hyperkube'] };
    const place = { mounts, rootDir: '/srv/root', podIP: '127.130.0.4', hostIP: '127.0.0.1', namesFile };
    writeFileSync(file, JSON.stringify({ ...description, args: ['kube-scheduler'], ...place }));
    const context = around({ HYPERSHIFT_CONTAINER: file }, 'hyperkube', 'kube-scheduler');
    expect(context).toMatchObject({ pod, command: ['hyperkube'], args: ['kube-scheduler'], podIP: '127.130.0.4' });
    expect(context.path('/etc/certs/tls.crt')).toBe('/srv/volumes/certs/tls.crt');
    expect(context.path('/tmp/x')).toBe('/srv/root/tmp/x');
    expect(context.resolveService('kube-apiserver.clusters-demo.svc')).toBe('127.70.0.9');
    expect(context.resolveService('example.com')).toBe('example.com');
  });

  it('When the process runs in a real container, it should take paths and names as they are', () => {
    const env = { MY_NAME: 'operator-1', MY_NAMESPACE: 'hypershift', HYPERSHIFT_IMAGE: 'example/hypershift:1' };
    const context = around(env, 'hypershift', 'operator', 'run');
    expect(context.pod.metadata).toEqual({ name: 'operator-1', namespace: 'hypershift' });
    expect(context.container.image).toBe('example/hypershift:1');
    expect(context.path('/etc/certs/tls.crt')).toBe('/etc/certs/tls.crt');
    expect(context.resolveService('kube-apiserver')).toBe('kube-apiserver');
    expect(context.podIP).toBe('0.0.0.0');
  });
});

describe('names of a file', () => {
  it('When the file is replaced, the new names should count', () => {
    const file = join(folder, 'moving');
    const resolve = namesFrom(file);
    expect(resolve('etcd-client')).toBe('etcd-client');
    writeFileSync(file, '127.70.0.1 etcd-client\n');
    expect(resolve('etcd-client.')).toBe('127.70.0.1');
    writeFileSync(file, '127.70.0.2 etcd-client\n');
    utimesSync(file, 1, 1);
    expect(resolve('etcd-client')).toBe('127.70.0.2');
  });

  it('When a name stands twice, the first address should count', () => {
    expect([...parseHosts('# names\n\n127.0.0.1 a b\n127.0.0.2 b c\n')]).toEqual([
      ['a', '127.0.0.1'],
      ['b', '127.0.0.1'],
      ['c', '127.0.0.2'],
    ]);
  });
});
