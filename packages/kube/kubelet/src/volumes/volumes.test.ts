import { mkdtemp, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AtomicWriter, type Payload } from './atomic-writer.ts';
import { volumePayload } from './payload.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'volume-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const payload = (files: Record<string, string>, mode = 0o644): Payload =>
  new Map(Object.entries(files).map(([path, text]) => [path, { data: Buffer.from(text), mode }]));

describe('AtomicWriter', () => {
  it('When a payload changes, all files should switch at once behind ..data', async () => {
    const writer = new AtomicWriter(directory);
    expect(await writer.write(payload({ a: '1', 'sub/b': '2' }, 0o600), 0)).toBe(true);
    expect(await readlink(join(directory, 'a'))).toBe('..data/a');
    expect(await readlink(join(directory, 'sub'))).toBe('..data/sub');
    expect((await stat(join(directory, 'a'))).mode & 0o777).toBe(0o600);
    const first = await readlink(join(directory, '..data'));
    expect(await writer.write(payload({ a: '1', 'sub/b': '2' }, 0o600), 0)).toBe(false);
    expect(await writer.write(payload({ a: '3', c: '4' }), 0)).toBe(true);
    expect(await readFile(join(directory, 'a'), 'utf8')).toBe('3');
    const entries = await readdir(directory);
    expect(entries.filter((name) => !name.startsWith('..')).sort()).toEqual(['a', 'c']);
    expect(entries).not.toContain(first);
  });

  it('When another kubelet wrote the volume before, it should be taken over', async () => {
    await new AtomicWriter(directory).write(payload({ a: '1', old: 'x' }), 0);
    await new AtomicWriter(directory).write(payload({ a: '2' }), 0);
    expect(await readFile(join(directory, 'a'), 'utf8')).toBe('2');
    expect((await readdir(directory)).length).toBe(3);
  });

  it.each(['/etc/passwd', '../x', 'a/../../x', '..data', ''])(
    'When a path is "%s", it should be refused',
    async (path) => {
      await expect(new AtomicWriter(directory).write(payload({ [path]: 'x' }), 0)).rejects.toThrow('invalid path');
    },
  );
});

describe('volumePayload', () => {
  const configMap = { data: { a: '1', b: '2' }, binaryData: { c: 'AP8=' } } as unknown as corev1.ConfigMap;
  const sources = {
    facts: { pod: {} as corev1.Pod, podIP: '', hostIP: '', nodeName: '', allocatable: {} },
    configMap: async (name: string) => (name === 'cm' ? configMap : undefined),
    secret: async () => undefined,
    token: async () => 'jwt',
  };
  const files = async (volume: Omit<corev1.Volume, 'name'>) =>
    [...((await volumePayload({ name: 'v', ...volume }, sources)) ?? [])].map(
      ([path, file]) => `${path} ${file.mode.toString(8)} ${file.data.toString('hex')}`,
    );

  it('When keys are chosen, only those should be there, with their modes', async () => {
    expect(await files({ configMap: { name: 'cm' } })).toEqual(['a 644 31', 'b 644 32', 'c 644 00ff']);
    expect(
      await files({
        configMap: {
          name: 'cm',
          defaultMode: 0o400,
          items: [
            { key: 'a', path: 'x/y', mode: 0o600 },
            { key: 'b', path: 'b' },
          ],
        },
      }),
    ).toEqual(['x/y 600 31', 'b 400 32']);
    expect(await files({ projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } })).toEqual([
      'token 600 6a7774',
    ]);
  });

  it('When something is missing, optional should decide', async () => {
    await expect(files({ configMap: { name: 'no' } })).rejects.toThrow('configmap "no" not found');
    await expect(files({ secret: { secretName: 'no' } })).rejects.toThrow('secret "no" not found');
    await expect(files({ configMap: { name: 'cm', items: [{ key: 'z', path: 'z' }] } })).rejects.toThrow(
      'references non-existent configmap key: z',
    );
    expect(await files({ secret: { secretName: 'no', optional: true } })).toEqual([]);
    expect(await volumePayload({ name: 'v', emptyDir: {} }, sources)).toBeUndefined();
  });
});
