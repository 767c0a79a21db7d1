import { lookup } from 'node:dns/promises';
import { request } from 'node:https';
import { isIP } from 'node:net';

/** Where the API server should answer; `serverName` where a router chooses by it. */
export interface HealthTarget {
  readonly host: string;
  readonly port: number;
  readonly serverName?: string;
}

/** Looks from outside; each answers undefined when all is well, else one line saying what is not. */
export interface NetworkChecks {
  apiServerHealth(target: HealthTarget, signal: AbortSignal): Promise<string | undefined>;
  resolves(hostname: string, signal: AbortSignal): Promise<string | undefined>;
}

const timeoutMs = 10_000;
const maxBodyBytes = 64 * 1024;

/** Asks over the network of this machine. */
export const networkChecks: NetworkChecks = {
  async apiServerHealth(target, signal) {
    try {
      return healthVerdict(target.host, await getHealth(target, signal));
    } catch (error) {
      return `health check to APIServer endpoint ${target.host} failed: ${messageOf(error)}`;
    }
  },
  async resolves(hostname) {
    try {
      await lookup(hostname);
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  },
};

interface HealthAnswer {
  readonly status: number;
  readonly body: string;
}

/** Who answers is not checked, only that it is healthy: certificates are rotated, and clients do check them. */
function getHealth({ host, port, serverName }: HealthTarget, signal: AbortSignal): Promise<HealthAnswer> {
  const name = serverName ?? host;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host,
        port,
        path: '/healthz?verbose',
        rejectUnauthorized: false,
        agent: false,
        timeout: timeoutMs,
        signal,
        ...(isIP(name) ? {} : { servername: name }),
      },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          if (body.length < maxBodyBytes) body += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
        response.on('error', reject);
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)));
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** What an answer of `/healthz?verbose` means. */
export function healthVerdict(host: string, { status, body }: HealthAnswer): string | undefined {
  if (status === 200) return undefined;
  const failing = body
    .split('\n')
    .filter((line) => line.startsWith('[-]'))
    .map((line) => line.slice(3).split(' failed:')[0] ?? '');
  const checks = failing.length > 0 ? `: failing health checks: ${failing.join(', ')}` : '';
  return `APIServer endpoint ${host} is not healthy (status ${status})${checks}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
