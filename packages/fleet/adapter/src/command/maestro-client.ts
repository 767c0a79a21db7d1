import { readFile } from 'node:fs/promises';
import { ChannelCredentials } from '@grpc/grpc-js';
import type { Fetch } from '@hypershift-ts/fleet-http-client';
import { SourceClient } from '@hypershift-ts/fleet-maestro';
import { type Clock, parseGoDuration } from '@hypershift-ts/kube-apimachinery';
import { Agent, fetch as undiciFetch } from 'undici';
import type { MaestroClientConfig } from '../config/adapter-config.ts';

/** A client for the Maestro server that the configuration names; says which setting is missing. */
export async function maestroClient(config: MaestroClientConfig | undefined, clock: Clock): Promise<SourceClient> {
  const need = (name: 'grpc_server_address' | 'http_server_address' | 'source_id'): string => {
    const value = config?.[name];
    if (!value) throw new Error(`clients.maestro.${name} is not set, and resources go through maestro`);
    return value;
  };
  const [address, httpUrl, sourceId] = [need('grpc_server_address'), need('http_server_address'), need('source_id')];
  const patienceMs = parseGoDuration(config?.server_healthiness_timeout);
  const timeoutMs = parseGoDuration(config?.timeout);
  const tls = await tlsOf(config);
  return new SourceClient({
    sourceId,
    clock,
    httpUrl: /^https?:\/\//.test(httpUrl) ? httpUrl : `http://${httpUrl}`,
    grpc: {
      address,
      clock,
      credentials: tls
        ? ChannelCredentials.createSsl(tls.ca ?? null, tls.key ?? null, tls.cert ?? null)
        : ChannelCredentials.createInsecure(),
      ...(patienceMs ? { patienceMs } : {}),
    },
    ...(tls?.httpCa ? { fetch: trusting(tls.httpCa) } : {}),
    ...(timeoutMs ? { timeoutMs } : {}),
  });
}

interface TlsFiles {
  readonly ca?: Buffer | undefined;
  readonly cert?: Buffer | undefined;
  readonly key?: Buffer | undefined;
  readonly httpCa?: Buffer | undefined;
}

/** Nothing when the connection is to be plain, which must be said: `auth.type: none` or `insecure: true`. */
async function tlsOf(config: MaestroClientConfig | undefined): Promise<TlsFiles | undefined> {
  if (config?.insecure || config?.auth?.type === 'none') return undefined;
  const files = config?.auth?.tls_config;
  const read = (name: 'ca_file' | 'cert_file' | 'key_file' | 'http_ca_file') => {
    const path = files?.[name];
    return path ? readFile(path) : undefined;
  };
  const [ca, cert, key, httpCa] = await Promise.all([
    read('ca_file'),
    read('cert_file'),
    read('key_file'),
    read('http_ca_file'),
  ]);
  return { ca, cert, key, httpCa: httpCa ?? ca };
}

/** Requests that trust one authority only. */
function trusting(ca: Buffer): Fetch {
  const dispatcher = new Agent({ connect: { ca } });
  return (url, init) => undiciFetch(url, { ...(init as object), dispatcher }) as unknown as Promise<Response>;
}
