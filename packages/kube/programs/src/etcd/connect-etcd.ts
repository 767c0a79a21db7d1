import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { delay } from '@hypershift-ts/kube-apimachinery';
import type { BuiltinContext } from '@hypershift-ts/kube-kubelet';
import { createEtcdStore, type EtcdTls, type Store } from '@hypershift-ts/kube-store';
import type { ProcessDirectory } from '../directory.ts';
import { memberHeader } from './etcd-program.ts';

/** How long a starting API server waits for its etcd before it gives up, and how long one question may take. */
const patienceMs = 60_000;
const askMs = 3_000;

export interface EtcdTarget {
  readonly endpoints: readonly string[];
  readonly tls: EtcdTls | undefined;
}

/**
 * The store behind --etcd-servers. The server is asked for its health over mutual TLS, with every check a client of etcd
 * makes; when a builtin etcd of this process answers, its store is used directly, otherwise gRPC.
 */
export async function connectEtcd(
  context: Pick<BuiltinContext, 'resolveService' | 'clock' | 'signal'>,
  directory: ProcessDirectory,
  target: EtcdTarget,
  log: (message: string) => void,
): Promise<Store> {
  const deadline = context.clock.now() + patienceMs;
  let said = '';
  for (let pause = 50; ; pause = Math.min(pause * 1.5, 1000)) {
    const problems: string[] = [];
    for (const endpoint of target.endpoints) {
      const url = new URL(endpoint);
      for (const address of addressesOf(url, context, directory)) {
        const found = await ask(url, address, target.tls).catch((error: Error) => error);
        if (found instanceof Error) problems.push(`${endpoint}: ${found.message}`);
        else if (found.member === undefined) return real(target, context, log);
        else {
          const member = directory.memberById(found.member);
          if (!member)
            throw new Error(`${endpoint} is a builtin etcd of another process, which only serves that process`);
          if (!member.cluster.problem()) return member.cluster.connect();
          problems.push(`${endpoint}: ${member.cluster.problem()}`);
        }
      }
    }
    if (context.signal.aborted || context.clock.now() >= deadline)
      throw new Error(`no etcd answers: ${problems.join('; ')}`);
    if (problems.join() !== said) log(`waiting for etcd: ${problems.join('; ')}`);
    said = problems.join();
    await delayOrName(pause, target, context, directory);
  }
}

/** Waits, but not beyond the moment when one of the servers appears in this process. */
async function delayOrName(
  ms: number,
  { endpoints }: EtcdTarget,
  { clock, signal }: Pick<BuiltinContext, 'clock' | 'signal'>,
  directory: ProcessDirectory,
): Promise<void> {
  const over = new AbortController();
  const end = () => over.abort();
  signal.addEventListener('abort', end, { once: true });
  const named = endpoints.map((endpoint) => directory.whenNamed(new URL(endpoint).hostname, over.signal));
  await Promise.race([delay(clock, ms, over.signal).catch(() => {}), ...named]);
  signal.removeEventListener('abort', end);
  end();
}

function addressesOf(
  { hostname }: URL,
  { resolveService }: Pick<BuiltinContext, 'resolveService'>,
  directory: ProcessDirectory,
): readonly string[] {
  const host = hostname.replace(/^\[|\]$/g, '');
  // Members of this process need not wait until their Service has noticed them.
  return [...new Set([...directory.addressesOf(host), resolveService(host)])];
}

function real(
  { endpoints, tls }: EtcdTarget,
  { resolveService }: Pick<BuiltinContext, 'resolveService'>,
  log: (message: string) => void,
): Store {
  log(`etcd at ${endpoints.join(', ')} is no builtin of this process: using gRPC`);
  let serverName: string | undefined;
  const addresses = endpoints.map((endpoint) => {
    const url = new URL(endpoint);
    const resolved = resolveService(url.hostname);
    if (resolved !== url.hostname) {
      serverName ??= url.hostname;
      url.hostname = resolved;
    }
    return url.origin;
  });
  return createEtcdStore({
    endpoints: addresses,
    ...(tls ? { tls: { ...tls, ...(serverName ? { serverName } : {}) } } : {}),
  });
}

/** GET /health with the client's certificate; answers which member of this process it was, if one. */
function ask(url: URL, address: string, tls: EtcdTls | undefined): Promise<{ readonly member: string | undefined }> {
  return new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const options = { host: address, port: url.port || 2379, path: '/health', agent: false as const, timeout: askMs };
    const { ca, cert, key } = tls ?? {};
    const request =
      url.protocol === 'https:'
        ? httpsRequest({ ...options, ca, cert, key, ...(isIP(host) ? {} : { servername: host }) })
        : httpRequest(options);
    request.on('response', (response) => {
      const header = response.headers[memberHeader];
      response.resume();
      response.on('end', () => resolve({ member: typeof header === 'string' ? header : undefined }));
      response.on('error', reject);
    });
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', reject);
    request.end();
  });
}
