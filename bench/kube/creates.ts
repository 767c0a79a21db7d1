import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { EmbeddedCluster } from '@hypershift-ts/kube-embedded';
import { openSqliteStore } from '@hypershift-ts/kube-store';
import { clientProcess } from './client-process.ts';

const callers = 128;
const count = 12_000;
const rounds = 5;
const aimPercent = 50;
const text = 'x'.repeat(2800);

/** Durable creates with many callers as a share of what the store itself commits durably, in alternating rounds. */
export async function benchCreates(print: (line: string) => void): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-'));
  const cluster = await EmbeddedCluster.start({ dataDir: directory, controllers: false });
  const { admin, authority } = cluster.identity;
  const tls = { ca: authority.certificatePem, cert: admin.certificatePem, key: admin.keyPem };
  const outside = clientProcess(cluster.server, tls);
  const client = cluster.client();
  const inProcess = (round: number, most = count) =>
    perSecond(most, (index) =>
      client.create(corev1.configmaps, {
        metadata: { name: `in-${round}-${index}`, namespace: 'default', labels: { app: 'bench' } },
        data: { text },
      }),
    );
  const overHttps = async (round: number, most = count) => {
    const body = { ...aConfigMap(`out-${round}-{i}`) };
    const shot = { method: 'POST', path: '/api/v1/namespaces/default/configmaps', body: JSON.stringify(body) };
    return (await outside.run({ count: most, concurrency: callers, shot })).perSecond;
  };
  await inProcess(-1, 2000);
  await overHttps(-1, 2000);
  const results: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const store = await storeRate(join(directory, `store-${round}.db`));
    results.push({ store, inProcess: await inProcess(round), overHttps: await overHttps(round) });
  }
  print(
    `durable creates of 3 KB objects with ${callers} callers at once, median of ${rounds} rounds beside the store:`,
  );
  report(print, 'in-process client', results, (round) => round.inProcess, aimPercent);
  report(print, 'client in another process over HTTPS', results, (round) => round.overHttps, undefined);
  outside.close();
  await cluster.stop();
  await rm(directory, { recursive: true });
}

interface Round {
  readonly store: number;
  readonly inProcess: number;
  readonly overHttps: number;
}

function report(
  print: (line: string) => void,
  who: string,
  rounds: readonly Round[],
  rate: (round: Round) => number,
  aim: number | undefined,
): void {
  const share = median(rounds.map((round) => (100 * rate(round)) / round.store));
  const creates = Math.round(median(rounds.map(rate)));
  const commits = Math.round(median(rounds.map(({ store }) => store)));
  print(
    `  ${who}: ${creates}/s = ${Math.round(share)} % of the store's own ${commits} durable group commits/s${aim ? ` (aim: ${aim} %)` : ''}`,
  );
}

function aConfigMap(name: string) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { app: 'bench' } }, data: { text } };
}

/** Durable puts of the same size with as many writers, without any API server around. */
async function storeRate(file: string): Promise<number> {
  const store = await openSqliteStore({ file });
  const value = JSON.stringify(aConfigMap('engine'));
  const rate = await perSecond(count, (index) => store.commit({ op: 'put', key: `/bench/${index}`, value }));
  await store.close();
  return rate;
}

async function perSecond(most: number, one: (index: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const began = performance.now();
  const caller = async (): Promise<void> => {
    while (next < most) await one(next++);
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return most / ((performance.now() - began) / 1000);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}
