import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { mayNameServices } from '@hypershift-ts/hypershift-embedded';
import { afterAll, describe, expect, it } from 'vitest';
import { findKubectls, Kubectl } from '../harness/kubectl.ts';
import { isBuilt } from '../harness/process.ts';

const kubectlPath = findKubectls().at(-1)?.path;
const program = join(import.meta.dirname, '../../bin/hypershift');
const hasEtcd = (process.env['PATH'] ?? '').split(delimiter).some((dir) => existsSync(join(dir, 'etcd')));
if (!hasEtcd) process.stderr.write('SKIPPED: hypershift up --etcd real, for lack of an etcd on PATH\n');
const apiServer = process.env['HYPERSHIFT_KUBE_APISERVER'];
if (!apiServer)
  process.stderr.write('SKIPPED: hypershift up --kube-apiserver; name one with HYPERSHIFT_KUBE_APISERVER\n');

describe.skipIf(!kubectlPath || !isBuilt() || !hasEtcd)('hosted clusters on programs of Kubernetes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'real-programs-'));
  const started = new Set<string>();

  const hypershift = async (...args: string[]): Promise<string> => {
    const options = { cwd: folder, timeout: 240_000 };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...args], options);
    return stderr + stdout;
  };
  const up = (dataDir: string, ...more: string[]) => {
    started.add(dataDir);
    return hypershift('up', '--data-dir', join(folder, dataDir), '--node-pool-replicas', '0', ...more);
  };
  const down = (dataDir: string) => hypershift('down', '--data-dir', join(folder, dataDir));
  const kubectl = async (dataDir: string, command: string): Promise<string> => {
    const hosted = new Kubectl(kubectlPath!, readFileSync(join(folder, dataDir, 'demo.kubeconfig'), 'utf8'));
    try {
      return await hosted.ok(command);
    } finally {
      hosted.dispose();
    }
  };

  afterAll(async () => {
    for (const dataDir of started) await down(dataDir);
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  it('When a cluster began with a real etcd, it should have its data again without being told, and not change', async () => {
    expect(await up('stored', '--etcd', 'real')).toMatch(/keep their data in etcd \d+\.\d+/);
    await kubectl('stored', 'create configmap kept');
    await down('stored');
    await expect(up('stored', '--etcd', 'builtin')).rejects.toMatchObject({
      stderr: expect.stringMatching(/keep their data in a real etcd[\s\S]*another --data-dir/) as string,
    });
    expect(await up('stored')).toMatch(/keep their data in etcd \d+\.\d+/);
    expect(await kubectl('stored', 'get configmap kept -o name')).toContain('configmap/kept');
    expect(await hypershift('status', '--kubeconfig', join(folder, 'stored', 'kubeconfig'))).toMatch(/\d+ process/);
    await down('stored');
  }, 300_000);

  it.skipIf(!apiServer || !mayNameServices())(
    'When an API server is given, the hosted cluster should be served by it',
    async () => {
      const version = /v\d+\.\d+\.\d+/.exec((await promisify(execFile)(apiServer!, ['--version'])).stdout)?.[0];
      expect(await up('served', '--kube-apiserver', apiServer!)).toContain(`kube-apiserver ${version?.slice(1)}`);
      expect(await kubectl('served', 'version -o json')).toContain(`"gitVersion": "${version}"`);
      expect(await kubectl('served', 'get --raw /version')).toContain('"compiler": "gc"');
      await kubectl('served', 'create namespace shop');
      await down('served');
    },
    300_000,
  );
});
