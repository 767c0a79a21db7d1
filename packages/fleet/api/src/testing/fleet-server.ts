import { ManualClock, type JsonObject } from '@hypershift-ts/kube-apimachinery';
import { loadConfig } from '../config/index.ts';
import type { Database } from '@hypershift-ts/fleet-database';
import type { Logger } from '../observability/index.ts';
import { type FleetApi, startFleetApi } from '../server.ts';
import { type Contract, contractOf, publishedContract } from './contract.ts';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // What tests look into; every answer has been held against the contract before.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** A server under test and a client that checks every answer it gets. */
export interface TestServer {
  readonly api: FleetApi;
  readonly clock: ManualClock;
  readonly logged: { fields: object; message: string }[];
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Answers the published document described, so that a test can see that it was not empty. */
  checked(): number;
  stop(): Promise<void>;
}

export const prefix = '/api/hyperfleet/v1';
let published: Contract | undefined | null = null;

/** Starts a server over a database that others share; the data of earlier tests is gone. */
export async function startTestServer(database: Database, config = ''): Promise<TestServer> {
  const clock = new ManualClock(Date.parse('2026-01-10T10:00:00Z'));
  const logged: TestServer['logged'] = [];
  const note = (fields: object, message: string) => void logged.push({ fields, message });
  const log: Logger = { debug() {}, info() {}, warn: note, error: note };
  const ports = 'health: {port: 0, host: 127.0.0.1}\nmetrics: {port: 0, host: 127.0.0.1}\n';
  const args = ['--server-port=0', '--server-host=127.0.0.1'];
  const text = config.includes('server:') ? `${ports}${config}` : `${ports}server: {jwt: {enabled: false}}\n${config}`;
  const api = await startFleetApi({ config: loadConfig({ text, args }), version: 'test', clock, log, database });
  await database.query('truncate resources, adapter_statuses cascade');
  if (published === null) published = publishedContract();
  const own = await ownContract(api);
  let checked = 0;
  return {
    api,
    clock,
    logged,
    checked: () => checked,
    stop: () => api.stop(),
    async call(method, path, body, headers = {}) {
      const isFull = path.startsWith('http');
      const address = isFull ? path : `${api.url}${path.startsWith('/api') ? path : prefix + path}`;
      const response = await fetch(address, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const type = response.headers.get('content-type') ?? '';
      const parsed: unknown = text !== '' && type.includes('json') ? JSON.parse(text) : text;
      const { pathname } = new URL(address);
      const violations = published?.violations(method, pathname, response.status, type, parsed);
      if (violations) checked++;
      const all = [...(violations ?? []), ...(own?.violations(method, pathname, response.status, type, parsed) ?? [])];
      if (all.length > 0 && !path.includes('fields='))
        throw new Error(`${method} ${path} ${response.status} breaks a contract: ${all.join('; ')}\n${text}`);
      return { status: response.status, headers: response.headers, body: parsed as JsonObject };
    },
  };
}

/** What the server says about itself; not over TLS, which `fetch` does not trust here. */
async function ownContract({ url }: FleetApi): Promise<Contract | undefined> {
  if (url.startsWith('https:')) return undefined;
  return contractOf(await (await fetch(`${url}${prefix}/openapi`)).text(), 'the document of the server');
}

/** A report in which everything is well, unless said otherwise. */
export function aReport(
  server: TestServer,
  adapter: string,
  generation: number,
  statuses: Record<string, string> = {},
) {
  const all = { Applied: 'True', Available: 'True', Health: 'True', ...statuses };
  return {
    adapter,
    observed_generation: generation,
    observed_time: new Date(server.clock.now()).toISOString(),
    conditions: Object.entries(all).map(([type, status]) => ({
      type,
      status,
      reason: `${type}${status}`,
      message: '',
    })),
  };
}
