import { EmbeddedCluster } from '@hypershift-ts/kube-embedded';
import { clientProcess, type Measured } from './client-process.ts';
import type { Volley } from './drive.ts';
import { plainServer } from './plain-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

/** About 3 KB, like an ordinary object. */
function configMap(name: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { app: 'bench' } },
    data: { number: '{i}', text: 'x'.repeat(2800) },
  });
}

/** Requests of a client in another process, beside plain Node.js HTTPS that takes and answers the same bytes. */
export async function benchApiServer(print: (line: string) => void): Promise<void> {
  const cluster = await EmbeddedCluster.start({ controllers: false });
  const { admin, authority, serving } = cluster.identity;
  const tls = { ca: authority.certificatePem, cert: admin.certificatePem, key: admin.keyPem };
  const ours = clientProcess(cluster.server, tls);
  const against = async (what: string, volley: Volley, answer: string): Promise<void> => {
    const plain = await plainServer(serving.certificatePem, serving.keyPem, Buffer.from(answer));
    const theirs = clientProcess(plain.url, tls);
    const warm = { ...volley, count: Math.min(500, volley.count) };
    await theirs.run(warm);
    const limits: Measured[] = [await theirs.run(volley)];
    const measured = await ours.run(volley);
    limits.push(await theirs.run(volley));
    theirs.close();
    plain.close();
    print(line(what, measured, limits));
  };
  const volley = (count: number, shot: Volley['shot'], concurrency = 64): Volley => ({ count, concurrency, shot });
  print('in-memory store, client in another process over HTTP/2 and TLS:');
  await ours.run(volley(500, { method: 'POST', path: configMaps, body: configMap('warm-{i}') }));
  const create = { method: 'POST', path: configMaps, body: configMap('c-{i}') };
  await against('create, 128 clients', volley(6000, create, 128), configMap('c-0'));
  const get = { method: 'GET', path: `${configMaps}/c-{m}`, modulo: 6000 };
  await ours.run(volley(500, get));
  await against('get', volley(8000, get), configMap('c-0'));
  const contentType = 'application/apply-patch+yaml';
  const path = `${configMaps}/a-{m}?fieldManager=bench&force=true`;
  const apply = { method: 'PATCH', path, body: configMap('a-{m}'), contentType, modulo: 500 };
  await ours.run(volley(500, apply));
  await against('server-side apply', volley(3000, apply), configMap('a-0'));
  const items = Array.from({ length: 1000 }, (_, index) => JSON.parse(configMap(`c-${index}`)) as object);
  const list = { method: 'GET', path: `${configMaps}?limit=1000` };
  await against('list 1 000', volley(100, list, 4), JSON.stringify({ items }));
  ours.close();
  await cluster.stop();
}

function line(what: string, measured: Measured, limits: readonly Measured[]): string {
  const perSecond = limits.reduce((sum, limit) => sum + limit.perSecond, 0) / limits.length;
  const micros = limits.reduce((sum, limit) => sum + limit.serverMicros, 0) / limits.length;
  const share = Math.round((100 * measured.perSecond) / perSecond);
  return (
    `  ${what}: ${Math.round(measured.perSecond)}/s, p50 ${measured.p50.toFixed(1)} ms, p99 ${measured.p99.toFixed(1)} ms` +
    ` = ${share} % of plain HTTPS with the same bytes (${Math.round(perSecond)}/s);` +
    ` server CPU ${Math.round(measured.serverMicros)} us each, plain ${Math.round(micros)} us`
  );
}
