import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { OpenIdEndpoints } from '../../framework/context.ts';
import { lookup } from 'node:dns/promises';
import { request, type RequestOptions } from 'node:https';
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
  /** What an OpenID issuer publishes about itself; `authorities` vouch for it instead of the system's. */
  openIdEndpoints(issuer: string, authorities: string | undefined, signal: AbortSignal): Promise<OpenIdEndpoints>;
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
  async openIdEndpoints(issuer, authorities, signal) {
    const url = `${issuer}/.well-known/openid-configuration`;
    const { status, body } = await get(url, {
      signal,
      timeout: timeoutMs,
      ...(authorities ? { ca: authorities } : {}),
    });
    if (status !== 200) throw new Error(`${url} answered with status ${status}`);
    return endpointsIn(issuer, body);
  },
};

/** The endpoints in a discovery document; throws when it is not one of this issuer. */
export function endpointsIn(issuer: string, body: string): OpenIdEndpoints {
  const document: unknown = JSON.parse(body);
  if (!isJsonObject(document)) throw new Error(`the discovery document of ${issuer} is not a JSON object`);
  const text = (field: string): string => {
    const value = document[field];
    return typeof value === 'string' ? value : '';
  };
  if (text('issuer').replace(/\/+$/, '') !== issuer) {
    throw new Error(`the discovery document of ${issuer} is that of ${JSON.stringify(text('issuer'))}`);
  }
  const authorize = text('authorization_endpoint');
  const token = text('token_endpoint');
  const userInfo = text('userinfo_endpoint');
  for (const url of [authorize, token, ...(userInfo ? [userInfo] : [])]) {
    if (!url.startsWith('https://'))
      throw new Error(`the discovery document of ${issuer} names ${JSON.stringify(url)}, which is not an https URL`);
  }
  return { authorize, token, ...(userInfo ? { userInfo } : {}) };
}

interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** Who answers is not checked, only that it is healthy: certificates are rotated, and clients do check them. */
function getHealth({ host, port, serverName }: HealthTarget, signal: AbortSignal): Promise<HttpAnswer> {
  const name = serverName ?? host;
  return get(`https://${host.includes(':') ? `[${host}]` : host}:${port}/healthz?verbose`, {
    rejectUnauthorized: false,
    timeout: timeoutMs,
    signal,
    ...(isIP(name) ? {} : { servername: name }),
  });
}

/** One GET over a connection of its own, with limits on time and size. */
function get(url: string, options: RequestOptions): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { ...options, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        if (body.length < maxBodyBytes) body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      response.on('error', reject);
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)));
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** What an answer of `/healthz?verbose` means. */
export function healthVerdict(host: string, { status, body }: HttpAnswer): string | undefined {
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
