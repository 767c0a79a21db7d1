import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedCluster } from '@hypershift-ts/kube-embedded';
import { openSqliteStore } from '@hypershift-ts/kube-store';
import { driver, type Rate } from './drive.ts';
import { plainServer } from './plain-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

/** About 3 KB, like an ordinary object. */
function configMap(name: string, fill = 'x'): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { app: 'bench' } },
    data: { text: fill.repeat(2800) },
  });
}

const clients = 128;

/** Requests over HTTPS against plain Node.js HTTPS answering the same bytes, and durable writes against the engine's own rate. */
export async function benchApiServer(print: (line: string) => void): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-'));
  const cluster = await EmbeddedCluster.start({ dataDir: directory, controllers: false });
  const { admin, authority, serving } = cluster.identity;
  const tls = { ca: authority.certificatePem, cert: admin.certificatePem, key: admin.keyPem };
  const ours = driver(cluster.server, tls);
  const show = (what: string, rate: Rate, limit: Rate | number, of: string): void => {
    const perSecond = typeof limit === 'number' ? limit : limit.perSecond;
    print(
      `${what}: ${Math.round(rate.perSecond)}/s, p50 ${rate.p50.toFixed(1)} ms, p99 ${rate.p99.toFixed(1)} ms = ${Math.round((100 * rate.perSecond) / perSecond)} % of ${of} (${Math.round(perSecond)}/s)`,
    );
  };

  await ours.run(500, 32, (index) => ({ method: 'POST', path: configMaps, body: configMap(`warm-${index}`) }));
  const engine = await engineRate(directory);
  const created = await ours.run(6000, clients, (index) => ({
    method: 'POST',
    path: configMaps,
    body: configMap(`c-${index}`),
  }));
  show(`create, ${clients} clients, durable`, created, engine, "the store's own durable group commit");

  const single = await plain(serving, authority.certificatePem, configMap('c-0'), 8000);
  show('create', created, single, 'plain HTTPS');
  const got = await ours.run(8000, 64, (index) => ({ method: 'GET', path: `${configMaps}/c-${index % 6000}` }));
  show('get', got, single, 'plain HTTPS with the same bytes');

  const applied = await ours.run(3000, 64, (index) => ({
    method: 'PATCH',
    path: `${configMaps}/a-${index % 500}?fieldManager=bench&force=true`,
    body: configMap(`a-${index % 500}`, String.fromCharCode(97 + (index % 26))),
    contentType: 'application/apply-patch+yaml',
  }));
  show('server-side apply', applied, single, 'plain HTTPS');

  const list = JSON.stringify({
    items: Array.from({ length: 1000 }, (_, index) => JSON.parse(configMap(`c-${index}`)) as object),
  });
  const listLimit = await plain(serving, authority.certificatePem, list, 100, 4);
  const listed = await ours.run(100, 4, () => ({ method: 'GET', path: `${configMaps}?limit=1000` }));
  show('list 1 000', listed, listLimit, 'plain HTTPS with the same bytes');

  ours.close();
  await cluster.stop();
  await rm(directory, { recursive: true });
}

async function plain(
  serving: { certificatePem: string; keyPem: string },
  ca: string,
  answer: string,
  count: number,
  concurrency = 64,
): Promise<Rate> {
  const server = await plainServer(serving.certificatePem, serving.keyPem, Buffer.from(answer));
  const drive = driver(server.url, { ca });
  await drive.run(Math.min(500, count), concurrency, () => ({ method: 'GET', path: '/' }));
  const rate = await drive.run(count, concurrency, () => ({ method: 'GET', path: '/' }));
  drive.close();
  server.close();
  return rate;
}

/** Durable puts of the same size with as many writers, without any API server around. */
async function engineRate(directory: string): Promise<number> {
  const store = await openSqliteStore({ file: join(directory, 'engine.db') });
  const value = configMap('engine');
  const count = 6000;
  let next = 0;
  const writer = async (): Promise<void> => {
    while (next < count) await store.commit({ op: 'put', key: `/bench/${next++}`, value });
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: clients }, writer));
  const rate = count / ((performance.now() - began) / 1000);
  await store.close();
  return rate;
}
