import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { BuiltinRegistry } from '@hypershift-ts/kube-kubelet';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { programWords } from './program-words.ts';
import { resolveBy, routesFile } from './routes-file.ts';

const run = async () => {};
const registry = (...names: string[]) => {
  const made = new BuiltinRegistry();
  for (const name of names) made.register({ name, commands: [name], run });
  return made.register({ name: 'cluster-api', images: ['cluster-capi-controllers'], run });
};
const container = (...command: string[]): corev1.Container => ({ name: 'main', command });
const product = ['node', 'hypershift'];

describe('programWords', () => {
  const known = registry('hypershift', 'control-plane-operator', 'hyperkube', 'etcd');

  it('When operators are to be processes, it should take operators and leave the rest', () => {
    const words = programWords(known, 'operators', product);
    expect(words(container('/usr/bin/control-plane-operator', 'run'))).toEqual([...product, 'control-plane-operator']);
    expect(words({ ...container('/usr/bin/control-plane-operator'), args: ['ignition-server'] })).toBeDefined();
    expect(words(container('hypershift', 'operator', 'run'))).toEqual(product);
    expect(words({ name: 'manager', image: 'registry/cluster-capi-controllers:1' })).toEqual([
      ...product,
      'cluster-api',
    ]);
    expect(words(container('control-plane-operator', 'availability-prober'))).toBeUndefined();
    expect(words(container('hyperkube', 'kube-scheduler'))).toBeUndefined();
    expect(words(container('sleep'))).toBeUndefined();
  });

  it('When everything is to be a process, it should leave an API server with the etcd of its process', () => {
    const words = programWords(known, 'process', product);
    expect(words(container('hyperkube', 'kube-scheduler'))).toEqual([...product, 'hyperkube']);
    expect(words(container('hyperkube', 'kube-apiserver'))).toBeUndefined();
    expect(words(container('etcd'))).toBeUndefined();
    expect(words(container('control-plane-operator', 'token-minter'))).toBeDefined();
    expect(words(container('control-plane-operator', 'availability-prober'))).toBeUndefined();
  });

  it('When somebody else runs etcd, the API server should be a process, too', () => {
    const words = programWords(registry('hyperkube'), 'process', product);
    expect(words(container('hyperkube', 'kube-apiserver'))).toEqual([...product, 'hyperkube']);
  });

  it('When programs are builtin, it should take none', () => {
    expect(programWords(known, 'builtin', product)(container('hypershift', 'operator'))).toBeUndefined();
  });
});

describe('routes of a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'routes-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('When hosts come and go, whoever reads the file should follow', async () => {
    const file = join(folder, 'state', 'routes.json');
    const resolve = resolveBy(file);
    const asked = { host: 'Ignition.apps.localhost', port: 443 };
    expect(resolve(asked)).toBe(asked);
    const tell = routesFile(file);
    tell(['ignition.apps.localhost'], { host: '127.0.0.1', port: 4433 });
    await vi.waitFor(() => expect(resolve(asked)).toEqual({ host: '127.0.0.1', port: 4433 }));
    tell([], { host: '127.0.0.1', port: 4433 });
    await vi.waitFor(() => expect(resolve(asked)).toBe(asked));
  });
});
