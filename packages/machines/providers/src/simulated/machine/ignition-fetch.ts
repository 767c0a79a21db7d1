import { Agent, request } from 'node:https';
import { isIP } from 'node:net';
import { type Clock, delay } from '@hypershift-ts/kube-apimachinery';
import type { Console } from './console.ts';
import { BootError } from './machine-error.ts';
import type { RemoteConfig } from './user-data.ts';
import type { Resolve } from './names.ts';

export interface FetchOptions {
  readonly remote: RemoteConfig;
  readonly authorities: string | undefined;
  readonly agent: Agent;
  /** The address of a name that only a cluster's DNS would know. */
  readonly resolve?: Resolve;
  /** False while the machine's network is cut. */
  readonly isConnected: () => boolean;
  readonly console: Console;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

const firstWaitMs = 200;
const longestWaitMs = 5000;
const answerMs = 30_000;
const maxPayloadBytes = 64 * 1024 * 1024;
/** Clusters whose machines boot at the same time; those of more than that only shake hands in full. */
const sessionsAtOnce = 8;

/** Connections to ignition servers, shared by machines that ask the same server and trust the same CAs. */
export function ignitionAgent(): Agent {
  return new Agent({
    keepAlive: true,
    // Below the server's own limit, or requests would meet connections that are being closed.
    timeout: 4000,
    maxSockets: 16,
    maxCachedSessions: sessionsAtOnce,
    minVersion: 'TLSv1.2',
  });
}

/** What the server cannot tell apart. */
const unknownToken = ' (its payload is not made yet, or the token has expired: then delete the Machine)';

/**
 * Asks for the configuration until it is there, as Ignition does: server errors (511 above all) and a network that does
 * not answer are waited out with growing pauses, a refusal (4xx) is final.
 */
export async function fetchIgnition(options: FetchOptions): Promise<string> {
  const { remote, clock, console, random, signal } = options;
  const what = remote.url.origin + remote.url.pathname;
  let said = '';
  for (let wait = firstWaitMs, attempt = 1; ; wait = Math.min(wait * 2, longestWaitMs), attempt++) {
    signal.throwIfAborted();
    let problem: string;
    try {
      if (!options.isConnected()) throw new Error('network is unreachable');
      const { status, body } = await get(options);
      if (status === 200) {
        console.print(`ignition: GET ${what}: attempt #${attempt}: 200 (${body.length} bytes)`);
        return body;
      }
      problem = `status ${status}: ${body.trim().slice(0, 100)}${status === 511 ? unknownToken : ''}`;
      if (status < 500)
        throw new BootError(
          `ignition: GET ${what} was refused (${problem}); the token of this machine is wrong or has expired, replace the machine`,
        );
    } catch (error) {
      if (error instanceof BootError || signal.aborted) throw error;
      problem = (error as Error).message;
    }
    if (problem !== said) console.print(`ignition: GET ${what}: attempt #${attempt}: ${problem}; trying again`);
    said = problem;
    await delay(clock, wait * (0.75 + random() / 2), signal);
  }
}

function get({ remote, agent, authorities, resolve, signal }: FetchOptions): Promise<{ status: number; body: string }> {
  const { url, headers } = remote;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const place = { host, port: Number(url.port || 443) };
  return new Promise((succeed, reject) => {
    const asked = request(
      {
        ...(resolve?.(place) ?? place),
        ...(isIP(host) ? {} : { servername: host }),
        path: url.pathname + url.search,
        headers: {
          ...headers,
          host: url.host,
          accept: 'application/vnd.coreos.ignition+json;version=3.2.0, */*;q=0.1',
        },
        agent,
        // The agent keeps connections apart by it.
        ...(authorities ? { ca: authorities } : {}),
        timeout: answerMs,
        signal,
      },
      (answer) => {
        const chunks: Buffer[] = [];
        let size = 0;
        answer.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size > maxPayloadBytes) asked.destroy(new Error(`the payload is larger than ${maxPayloadBytes} bytes`));
        });
        answer.once('error', reject);
        answer.once('end', () =>
          succeed({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
        );
      },
    );
    asked.once('timeout', () => asked.destroy(new Error(`no answer within ${answerMs / 1000} s`)));
    asked.once('error', reject);
    asked.end();
  });
}
