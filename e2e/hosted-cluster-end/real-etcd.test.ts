import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { hostedClusters } from '@hypershift-ts/hypershift-api';
import { corev1, findCondition } from '@hypershift-ts/kube-apimachinery';
import { clusterConfigFrom, HttpClient, parseKubeconfig } from '@hypershift-ts/kube-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { create, created, destroy, namespace, type Product, startProduct } from './product.ts';

const etcd = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'etcd'))
  .find((file) => existsSync(file));
if (!etcd) process.stderr.write('SKIPPED: there is no etcd on PATH\n');

/** An /etc/hosts of its own, by which members find each other, needs user namespaces. */
const mayUnshare =
  spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'mount', '--bind', '/etc/hosts', '/etc/hosts'])
    .status === 0;
if (!mayUnshare) process.stderr.write('SKIPPED: three members of a real etcd, for lack of user namespaces\n');

const name = 'solid';
const shape = { platform: 'none', nodes: 0 };
const eventually = <T>(check: () => Promise<T>, timeout = 90_000) => vi.waitFor(check, { timeout, interval: 100 });

describe.skipIf(!etcd || !mayUnshare)('Three members of a real etcd behind a hosted cluster', () => {
  let product: Product;
  let hosted: HttpClient;

  beforeAll(async () => {
    product = await startProduct({ real: { etcd: etcd! } });
    await create(product, name, shape, { controlPlaneAvailabilityPolicy: 'HighlyAvailable' });
    await created(product, name, shape);
    hosted = await hostedClient(product);
  }, 300_000);

  afterAll(async () => {
    await hosted?.close();
    await product?.stop();
  }, 60_000);

  const condition = async (type: string) => {
    const { status } = await product.client.get(hostedClusters, { namespace, name });
    return findCondition(status?.conditions, type);
  };
  const write = (text: string) => hosted.create(corev1.configmaps, { metadata: { name: text, namespace: 'default' } });

  it('When it is available, its data should be in three processes of etcd', async () => {
    // Two of them make a quorum, so the third may still be starting.
    await eventually(async () => expect(members()).toHaveLength(3));
    expect(product.management.directory.size.etcdMembers).toBe(0);
    expect(await condition('EtcdAvailable')).toMatchObject({ status: 'True', reason: 'QuorumAvailable' });
    await write('kept');
  });

  it('When one process is killed, requests should go on and the member should come back', async () => {
    const [victim] = members();
    kill(victim!);
    for (let i = 0; i < 20; i++) await write(`with-two-${i}`);
    await eventually(async () => {
      expect(members()).toHaveLength(3);
      expect(members()).not.toContain(victim);
    });
  }, 150_000);

  it('When two processes are killed, the conditions should say so, and all should be well again when they are back', async () => {
    const [survivor] = members();
    // The kubelet starts them again, so they die until somebody noticed.
    const keepDown = setInterval(() => {
      for (const pid of members()) if (pid !== survivor) kill(pid);
    }, 100);
    try {
      await eventually(async () => {
        const quorum = await condition('EtcdAvailable');
        expect(quorum).toMatchObject({ status: 'False', reason: 'EtcdWaitingForQuorum' });
        const available = await condition('Available');
        expect(available?.status).toBe('False');
        expect(available?.message).toContain(quorum?.message);
        expect(available?.message).toMatch(/etcd/i);
      });
      // A busy machine may give a member the moment between two kills, so one refused write is enough.
      let tries = 0;
      await eventually(() => expect(write(`with-one-${tries++}`)).rejects.toThrow());
    } finally {
      clearInterval(keepDown);
    }
    await eventually(async () => {
      expect(await condition('EtcdAvailable')).toMatchObject({ status: 'True' });
      expect(await condition('Available')).toMatchObject({ status: 'True' });
      await hosted.get(corev1.configmaps, { namespace: 'default', name: 'kept' });
    }, 120_000);
    await eventually(() => write('with-three'));
  }, 480_000);

  it('When the cluster is destroyed, no process of it should be left', async () => {
    await hosted.close();
    await destroy(product, name);
    expect(members()).toEqual([]);
  }, 300_000);
});

/** The hosted cluster by the kubeconfig its owner gets. */
async function hostedClient({ client }: Product): Promise<HttpClient> {
  const { data } = await client.get(corev1.secrets, { namespace, name: `${name}-admin-kubeconfig` });
  const text = Buffer.from(data?.['kubeconfig'] ?? '', 'base64').toString('utf8');
  return new HttpClient(clusterConfigFrom(parseKubeconfig(text, 'test', '/')));
}

/** Ends a process, unless it ended since it was listed. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' });
  }
}

/** Processes of etcd below this one, members only. */
function members(): readonly number[] {
  const all = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  const read = (pid: string, file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      return '';
    }
  };
  const parentOf = (pid: string) => /^PPid:\s+(\d+)/m.exec(read(pid, 'status'))?.[1] ?? '0';
  const isOurs = (pid: string): boolean => pid !== '0' && (pid === String(process.pid) || isOurs(parentOf(pid)));
  return all
    .filter((pid) => read(pid, 'comm').trim() === 'etcd' && !read(pid, 'cmdline').includes('grpc-proxy') && isOurs(pid))
    .map(Number);
}
