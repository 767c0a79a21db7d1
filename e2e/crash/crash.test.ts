import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { corev1, isExpired } from '@hypershift-ts/kube-apimachinery';
import { clusterConfigFrom, HttpClient, parseKubeconfig } from '@hypershift-ts/kube-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, HypershiftProcess, isBuilt, readText } from '../harness/process.ts';

const kills = 12;
const writers = 6;

/** Writes config maps one after another and remembers what the server acknowledged. */
async function write(
  client: HttpClient,
  writer: number,
  acknowledged: Map<string, number>,
  stop: { now: boolean },
): Promise<void> {
  for (let i = 0; !stop.now; i++) {
    const name = `w${writer}-${i}`;
    try {
      const { metadata } = await client.create(corev1.configmaps, {
        metadata: { name, namespace: 'default' },
        data: { writer: String(writer) },
      });
      acknowledged.set(name, Number(metadata.resourceVersion));
    } catch {
      // Not acknowledged: it may or may not be there. The server may be down; come back in a moment.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** Follows all config maps through every crash, always resuming from the last resourceVersion it saw. */
async function follow(
  client: HttpClient,
  seen: Map<string, number>,
  revisions: number[],
  stop: { now: boolean },
): Promise<void> {
  let last = '1';
  while (!stop.now) {
    try {
      for await (const { object } of client.watch(corev1.configmaps, {
        namespace: 'default',
        resourceVersion: last,
        timeoutSeconds: 5,
      })) {
        last = object.metadata.resourceVersion!;
        revisions.push(Number(last));
        seen.set(object.metadata.name!, Number(last));
        if (stop.now) break;
      }
    } catch (error) {
      if (isExpired(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

describe.skipIf(!isBuilt())('SIGKILL at random moments', () => {
  let directory: string;
  let port: number;
  let server: HypershiftProcess;
  const start = async (): Promise<HypershiftProcess> => {
    const started = new HypershiftProcess([
      'kube',
      '--foreground',
      '--data-dir',
      directory,
      '--secure-port',
      String(port),
    ]);
    await started.printed('Kubernetes is ready');
    return started;
  };

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'crash-'));
    port = await freePort();
    server = await start();
  });
  afterAll(async () => {
    await server.kill('SIGKILL');
    await rm(directory, { recursive: true, force: true });
  });

  it('When the server is killed many times under load, it should keep every acknowledged write and every watch event', async () => {
    const config = clusterConfigFrom(parseKubeconfig(await readText(join(directory, 'kubeconfig')), 'test', directory));
    const clients = Array.from({ length: writers + 1 }, () => new HttpClient(config));
    const acknowledged = new Map<string, number>();
    const seen = new Map<string, number>();
    const revisions: number[] = [];
    const stop = { now: false };
    const follower = follow(clients[writers]!, seen, revisions, stop);
    const writing = Array.from({ length: writers }, (_, index) => write(clients[index]!, index, acknowledged, stop));

    for (let kill = 0; kill < kills; kill++) {
      await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 500));
      await server.kill('SIGKILL');
      server = await start();
    }
    stop.now = true;
    await Promise.all(writing);

    const { items } = await clients[0]!.list(corev1.configmaps, { namespace: 'default' });
    const stored = new Map(items.map(({ metadata }) => [metadata.name!, Number(metadata.resourceVersion)]));
    const lost = [...acknowledged].filter(([name, revision]) => stored.get(name) !== revision);
    expect(lost, `of ${acknowledged.size} acknowledged writes`).toEqual([]);
    expect(acknowledged.size).toBeGreaterThan(kills * 5);

    await follower;
    // The follower stops at its next event or timeout; whatever came after that is read by a last resumed watch.
    const from = String(revisions.at(-1));
    for await (const { object } of clients[0]!.watch(corev1.configmaps, {
      namespace: 'default',
      resourceVersion: from,
      timeoutSeconds: 1,
    }))
      seen.set(object.metadata.name!, Number(object.metadata.resourceVersion));
    const missed = [...stored.keys()].filter((name) => !seen.has(name) && /^w\d/.test(name));
    expect(missed).toEqual([]);
    expect(revisions.every((revision, index) => index === 0 || revision > revisions[index - 1]!)).toBe(true);
    await Promise.all(clients.map((client) => client.close()));
  }, 120_000);
});
