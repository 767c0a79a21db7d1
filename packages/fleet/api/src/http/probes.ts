import type { RequestListener } from 'node:http';
import { type Clock, delay, errorMessage } from '@hypershift-ts/kube-apimachinery';
import type { Database } from '@hypershift-ts/fleet-database';
import type { ApiMetrics, Logger } from '../observability/index.ts';

export interface HealthOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly pingTimeoutMs: number;
  readonly isStopping: () => boolean;
}

function json(status: number, body: object) {
  return { status, contentType: 'application/json', text: JSON.stringify(body) };
}

async function ready({ database, clock, pingTimeoutMs, isStopping }: HealthOptions) {
  if (isStopping()) return json(503, { status: 'shutting_down', reason: 'the server is stopping' });
  try {
    const late = delay(clock, pingTimeoutMs).then(() => {
      throw new Error(`the database did not answer within ${pingTimeoutMs} ms`);
    });
    late.catch(() => {});
    await Promise.race([database.ping(), late]);
    return json(200, { status: 'ok' });
  } catch (error) {
    return json(503, { status: 'not_ready', reason: `database: ${errorMessage(error)}` });
  }
}

/** `/healthz` (the process is there) and `/readyz` (it can serve). */
export function healthListener(options: HealthOptions): RequestListener {
  return pageListener({ '/healthz': async () => json(200, { status: 'ok' }), '/readyz': () => ready(options) });
}

/** `/metrics` in Prometheus' text format. */
export function metricsListener(metrics: ApiMetrics, log: Logger): RequestListener {
  return pageListener({
    '/metrics': async () => {
      try {
        const { contentType, text } = await metrics.render();
        return { status: 200, contentType, text };
      } catch (error) {
        log.error({ cause: errorMessage(error) }, 'metrics could not be collected');
        return json(503, { status: 'not_ready', reason: 'metrics could not be collected' });
      }
    },
  });
}

type Page = () => Promise<{ status: number; contentType: string; text: string }>;

function pageListener(pages: Readonly<Record<string, Page>>): RequestListener {
  return (incoming, outgoing) => {
    const path = incoming.url?.split('?')[0] ?? '';
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (!page || (incoming.method !== 'GET' && incoming.method !== 'HEAD')) {
      outgoing.writeHead(page ? 405 : 404, page ? { allow: 'GET' } : {}).end();
      return;
    }
    void page().then(({ status, contentType, text }) =>
      outgoing.writeHead(status, { 'content-type': contentType }).end(text),
    );
  };
}
