import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { exitCodes } from '../cli-error.ts';
import type { KubeOptions } from './command.ts';
import { describePrograms, programsFor, realPrograms, rememberPrograms } from './real-programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'real-programs-'));
const etcd = join(folder, 'etcd');
writeFileSync(etcd, '#!/bin/sh\necho "etcd Version: 3.5.16"\n');
chmodSync(etcd, 0o755);
let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(folder, 'data-'));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

describe('realPrograms', () => {
  it('When nothing is asked for, everything should be ours', async () => {
    expect(await realPrograms(dataDir, {})).toEqual({});
  });

  it('When a real etcd is asked for, it should be the one on PATH', async () => {
    vi.stubEnv('PATH', `/nowhere:${folder}:/usr/bin:/bin`);
    expect(await realPrograms(dataDir, { etcd: 'real' })).toEqual({ etcd });
    const [line] = await describePrograms({ etcd });
    expect(line).toContain(`etcd 3.5.16 (${etcd})`);
  });

  it('When there is no etcd, it should say how to get one', async () => {
    vi.stubEnv('PATH', '/nowhere');
    await expect(realPrograms(dataDir, { etcd: 'real' })).rejects.toMatchObject({
      message: 'there is no etcd on PATH',
      fix: expect.stringContaining('apt install etcd-server') as string,
    });
    await expect(realPrograms(dataDir, { etcd: '/nowhere/etcd' })).rejects.toThrow(
      '/nowhere/etcd, which does not exist',
    );
  });

  it('When a data directory was begun with one, it should go on with it and refuse the other', async () => {
    await rememberPrograms(dataDir, { etcd });
    expect(await realPrograms(dataDir, {})).toEqual({ etcd });
    await expect(realPrograms(dataDir, { etcd: 'builtin' })).rejects.toMatchObject({
      message: expect.stringContaining(`a real etcd (${etcd})`) as string,
      exitCode: exitCodes.usage,
    });
  });

  it('When a data directory was begun with the builtin one, a real one should be refused, and so should its API server', async () => {
    await rememberPrograms(dataDir, {});
    await expect(realPrograms(dataDir, { etcd })).rejects.toThrow('the builtin etcd');
    await expect(realPrograms(dataDir, { kubeApiserver: etcd })).rejects.toMatchObject({
      message: expect.stringContaining('--kube-apiserver needs a real etcd') as string,
      fix: expect.stringContaining('another --data-dir') as string,
    });
  });

  it('When an API server does not run here, it should be named', async () => {
    await expect(realPrograms(dataDir, { etcd, kubeApiserver: join(folder, 'none') })).rejects.toThrow(
      /--kube-apiserver names .*none, but it does not exist here/,
    );
  });
});

describe('programsFor', () => {
  const options = (more: Partial<KubeOptions>): KubeOptions => ({
    dataDir,
    securePort: 0,
    bindAddress: '127.0.0.1',
    runImage: [],
    hypershiftPrograms: 'none',
    ...more,
  });

  it('When a cluster runs nothing of HyperShift, it should say what to add', async () => {
    await expect(programsFor(options({ etcd }))).rejects.toMatchObject({
      fix: expect.stringContaining('--hypershift-programs builtin') as string,
    });
  });

  it('When every program is a process, an etcd on PATH should be used unless the builtin one is asked for', async () => {
    vi.stubEnv('PATH', `${folder}:/usr/bin:/bin`);
    expect(await programsFor(options({ hypershiftPrograms: 'process' }))).toEqual({ etcd });
    expect(await programsFor(options({ hypershiftPrograms: 'process', etcd: 'builtin' }))).toEqual({});
    await rememberPrograms(dataDir, {});
    expect(await programsFor(options({ hypershiftPrograms: 'process' }))).toEqual({});
  });
});
