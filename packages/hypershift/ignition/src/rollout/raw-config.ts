import { gunzipSync, gzipSync } from 'node:zlib';
import type { ConfigSource } from '../machine-config/documents.ts';
import { normalisedDocuments } from '../machine-config/documents.ts';

export interface RawConfigInputs {
  /** The MachineConfig of the node's path to the API server, as text; empty when the control plane still makes it. */
  readonly apiServerProxy: string;
  /** ConfigMaps labelled `hypershift.openshift.io/core-ignition-config=true` in the control plane namespace. */
  readonly core: readonly ConfigSource[];
  /** The pool's `spec.config`. */
  readonly user: readonly ConfigSource[];
  /** What node tuning generated for the pool. */
  readonly tuning?: readonly ConfigSource[];
  /** `HostedCluster.spec.imageContentSources` is not empty: one more core ConfigMap is due. */
  readonly hasImageContentSources: boolean;
}

/** The control plane has not written all core ConfigMaps yet; wait for them. */
export class MissingCoreConfig extends Error {
  override readonly name = 'MissingCoreConfig';

  constructor(expected: number, found: number) {
    super(`expected ${expected} core ignition configs, found ${found}`);
  }
}

/** All config documents of a pool as the one text that is hashed, stored in the token Secret and rendered. */
export function rawConfig(inputs: RawConfigInputs): string {
  const expected = 3 + (inputs.hasImageContentSources ? 1 : 0) - (inputs.apiServerProxy === '' ? 0 : 1);
  if (inputs.core.length !== expected) throw new MissingCoreConfig(expected, inputs.core.length);
  const documents = normalisedDocuments([...inputs.core, ...inputs.user, ...(inputs.tuning ?? [])]);
  if (inputs.apiServerProxy !== '') documents.push(inputs.apiServerProxy);
  return documents.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).join('\n---\n');
}

/** As the token Secret carries it: gzip, then base64 text. */
export function compressAndEncode(text: string | Uint8Array): Buffer {
  return text.length === 0 ? Buffer.alloc(0) : Buffer.from(gzipSync(text, { level: 9 }).toString('base64'), 'latin1');
}

/** Reverses compressAndEncode; what old control planes wrote, gzip alone, is read too. Refuses more than `maxBytes`. */
export function decodeAndDecompress(bytes: Uint8Array, maxBytes = 16 * 1024 * 1024): Buffer {
  if (bytes.length === 0) return Buffer.alloc(0);
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const gzipped = isGzip ? bytes : Buffer.from(Buffer.from(bytes).toString('latin1'), 'base64');
  return gunzipSync(gzipped, { maxOutputLength: maxBytes });
}
