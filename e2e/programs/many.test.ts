import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import {
  describePods,
  eventually,
  hostedClient,
  hostedKubeconfig,
  type Management,
  openFiles,
  podsGone,
  startManagement,
} from './harness.ts';
import { applyHosted, hostedPki } from './manifests.ts';

const count = Number(process.env['HOSTED_COUNT'] ?? 3);

describe('Many hosted control planes in one process', () => {
  let management: Management;

  beforeAll(async () => {
    management = await startManagement();
  });

  afterAll(async () => {
    await management?.stop();
  });

  async function bringUp(name: string): Promise<number> {
    const pki = await hostedPki(name);
    const began = Date.now();
    await applyHosted(management.client, { namespace: name, pki });
    const hosted = hostedClient(await hostedKubeconfig(management.client, name, pki.kubeconfigs.admin));
    await eventually(() => hosted.raw('GET', '/readyz'), `${name} /readyz`, 20_000).catch(async (error: Error) => {
      throw new Error(`${error.message}\n${await describePods(management.client, name)}`, { cause: error });
    });
    const took = Date.now() - began;
    await eventually(
      () => hosted.get(corev1.configmaps, { namespace: 'default', name: 'kube-root-ca.crt' }),
      `${name} controllers`,
      60_000,
    );
    await hosted.close();
    return took;
  }

  it('When many are made, each should come up and all should go away again', { timeout: 180_000 }, async () => {
    await bringUp('clusters-warm');
    const before = await memory();
    const filesBefore = openFiles();
    const times: number[] = [];
    for (let i = 0; i < count; i += 5)
      times.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(5, count - i) }, (_, k) => bringUp(`clusters-many-${i + k}`)),
        )),
      );
    const after = await memory();
    times.sort((a, b) => a - b);
    process.stderr.write(
      `${count} control planes: /readyz p50 ${times[Math.floor(count / 2)]} ms, max ${times.at(-1)} ms; each ${((after.heap - before.heap) / count).toFixed(2)} MB heap, ${((after.rss - before.rss) / count).toFixed(2)} MB rss\n`,
    );
    expect(management.directory.size.apiServers).toBe(count + 1);
    for (let i = 0; i < count; i++) await management.client.delete(corev1.namespaces, { name: `clusters-many-${i}` });
    for (let i = 0; i < count; i++)
      await eventually(() => podsGone(management.client, `clusters-many-${i}`), 'pods gone', 60_000);
    expect(management.directory.size).toEqual({ apiServers: 1, etcdMembers: 1, etcdClusters: 1 });
    await eventually(async () => openFiles() <= filesBefore, 'sockets, files and watches given back', 60_000);
  });
});

/** Megabytes in use, after collecting when the process allows it. */
async function memory(): Promise<{ readonly heap: number; readonly rss: number }> {
  await new Promise((resolve) => setTimeout(resolve, 2000));
  for (let i = 0; i < 3; i++) globalThis.gc?.();
  const { heapUsed, rss, external } = process.memoryUsage();
  return { heap: (heapUsed + external) / 2 ** 20, rss: rss / 2 ** 20 };
}
