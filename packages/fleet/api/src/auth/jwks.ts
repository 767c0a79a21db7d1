import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { request as plainRequest } from 'node:http';
import { rootCertificates } from 'node:tls';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { createLocalJWKSet, type JSONWebKeySet } from 'jose';

/** Where the keys of an issuer come from; a file and a URL may both be given. */
export interface KeySource {
  readonly file?: string;
  readonly url?: string;
  /** Trusted beside the usual authorities when the URL is fetched. */
  readonly caFile?: string;
}

type KeyResolver = ReturnType<typeof createLocalJWKSet>;

/** The keys of one issuer. */
export interface KeySet {
  /** The keys known now; `afresh` fetches again, at most once a minute. */
  keys(afresh: boolean): Promise<KeyResolver>;
}

const refreshAfter = 60 * 60_000;
// A token with an unknown key id may mean that keys were rotated, but must not let strangers make us fetch all day.
const refetchAfter = 60_000;
const fetchTimeout = 30_000;
const maxBytes = 1024 * 1024;

/** Loads the keys of an issuer: a file at once, a URL when first needed and then hourly. */
export function keySet(source: KeySource, clock: Clock): KeySet {
  let loaded: { readonly keys: Promise<KeyResolver>; readonly at: number } | undefined;
  return {
    keys(afresh) {
      const age = loaded ? clock.now() - loaded.at : Number.POSITIVE_INFINITY;
      if (loaded && age < (afresh ? refetchAfter : refreshAfter)) return loaded.keys;
      const previous = loaded?.keys;
      // An issuer that cannot be reached does not make known keys worthless.
      const keys = load(source).catch((error: unknown) => {
        if (previous) return previous;
        loaded = undefined;
        throw error;
      });
      loaded = { keys, at: clock.now() };
      return keys;
    },
  };
}

async function load({ file, url, caFile }: KeySource): Promise<KeyResolver> {
  const sets = await Promise.all([
    ...(file ? [readFile(file, 'utf8').then((text) => parseKeys(text, file))] : []),
    ...(url ? [fetchText(url, caFile).then((text) => parseKeys(text, url))] : []),
  ]);
  return createLocalJWKSet({ keys: sets.flatMap((set) => set.keys) });
}

function parseKeys(text: string, source: string): JSONWebKeySet {
  const value = JSON.parse(text) as { keys?: unknown } | null;
  if (!Array.isArray(value?.keys)) throw new Error(`${source} holds no JSON Web Key Set`);
  return value as JSONWebKeySet;
}

async function fetchText(url: string, caFile: string | undefined): Promise<string> {
  const ca = caFile ? [...rootCertificates, await readFile(caFile, 'utf8')] : undefined;
  return new Promise((resolve, reject) => {
    const options = { timeout: fetchTimeout, headers: { accept: 'application/json' }, ...(ca ? { ca } : {}) };
    const get = url.startsWith('https:') ? request : plainRequest;
    const outgoing = get(url, options, (response) => {
      if (response.statusCode !== 200) {
        response.resume();
        reject(new Error(`${url} answered ${response.statusCode}`));
        return;
      }
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) outgoing.destroy(new Error(`${url} sent more than ${maxBytes} bytes`));
        else chunks.push(chunk);
      });
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
      response.on('error', reject);
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`${url} did not answer within ${fetchTimeout / 1000} s`)));
    outgoing.on('error', reject);
    outgoing.end();
  });
}
