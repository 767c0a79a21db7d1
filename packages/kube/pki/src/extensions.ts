import { createHash } from 'node:crypto';
import {
  bitString,
  boolean,
  contextConstructed,
  contextPrimitive,
  DerReader,
  element,
  octetString,
  oid,
  sequence,
  tag,
} from './der.ts';
import { ipBytes, ipText } from './ip-address.ts';

export type KeyUsage =
  | 'digitalSignature'
  | 'contentCommitment'
  | 'keyEncipherment'
  | 'dataEncipherment'
  | 'keyAgreement'
  | 'keyCertSign'
  | 'cRLSign'
  | 'encipherOnly'
  | 'decipherOnly';

export type ExtendedKeyUsage =
  | 'serverAuth'
  | 'clientAuth'
  | 'codeSigning'
  | 'emailProtection'
  | 'timeStamping'
  | 'ocspSigning'
  | 'any';

/** The names a certificate answers to. */
export interface SubjectAltNames {
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly uris?: readonly string[];
  readonly emails?: readonly string[];
}

export const extensionOid = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const;

const keyUsageBits: readonly KeyUsage[] = [
  'digitalSignature',
  'contentCommitment',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
];

const extendedKeyUsageOids: Record<ExtendedKeyUsage, string> = {
  any: '2.5.29.37.0',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  codeSigning: '1.3.6.1.5.5.7.3.3',
  emailProtection: '1.3.6.1.5.5.7.3.4',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  ocspSigning: '1.3.6.1.5.5.7.3.9',
};
const extendedKeyUsageNames = new Map(
  Object.entries(extendedKeyUsageOids).map(([name, id]) => [id, name as ExtendedKeyUsage]),
);

/** One Extension of a certificate or request. */
export function extension(id: string, value: Uint8Array, critical = false): Buffer {
  return critical ? sequence(oid(id), boolean(true), octetString(value)) : sequence(oid(id), octetString(value));
}

export function basicConstraints(isCa: boolean, pathLength?: number): Buffer {
  if (!isCa) return sequence();
  return pathLength === undefined
    ? sequence(boolean(true))
    : sequence(boolean(true), element(tag.integer, Buffer.of(pathLength)));
}

export function keyUsage(usages: readonly KeyUsage[]): Buffer {
  const bits = [0, 0];
  let last = 0;
  for (const usage of usages) {
    const index = keyUsageBits.indexOf(usage);
    bits[index >> 3] = (bits[index >> 3] ?? 0) | (0x80 >> (index & 7));
    last = Math.max(last, index);
  }
  return bitString(Buffer.from(bits.slice(0, (last >> 3) + 1)), 7 - (last & 7));
}

export function extendedKeyUsage(usages: readonly ExtendedKeyUsage[]): Buffer {
  return sequence(...usages.map((usage) => oid(extendedKeyUsageOids[usage])));
}

export function subjectAltName(names: SubjectAltNames): Buffer | undefined {
  const entries: Buffer[] = [];
  const ascii = (n: number, value: string) => {
    // oxlint-disable-next-line no-control-regex -- IA5String is exactly this range
    if (!/^[\x01-\x7f]+$/.test(value))
      throw new Error(`subject alternative name ${JSON.stringify(value)} is not ASCII`);
    entries.push(element(contextPrimitive(n), Buffer.from(value, 'latin1')));
  };
  for (const name of names.dnsNames ?? []) ascii(2, name);
  for (const email of names.emails ?? []) ascii(1, email);
  for (const address of names.ipAddresses ?? []) {
    const bytes = ipBytes(address);
    if (!bytes) throw new Error(`subject alternative name ${JSON.stringify(address)} is not an IP address`);
    entries.push(element(contextPrimitive(7), bytes));
  }
  for (const uri of names.uris ?? []) ascii(6, uri);
  return entries.length === 0 ? undefined : sequence(...entries);
}

/** RFC 5280 method 1: SHA-1 over the key bits of a SubjectPublicKeyInfo. An identifier, not a security property. */
export function keyIdOf(spki: Uint8Array): Buffer {
  const info = new DerReader(spki).enter();
  info.next(tag.sequence);
  return createHash('sha1').update(info.next(tag.bitString).content.subarray(1)).digest();
}

export const subjectKeyId = (id: Uint8Array) => octetString(id);
export const authorityKeyId = (id: Uint8Array) => sequence(element(contextPrimitive(0), id));

/** What the extensions of a certificate or request say; absent means the extension is absent. */
export interface Extensions extends SubjectAltNames {
  readonly isCa: boolean;
  readonly pathLength?: number;
  readonly keyUsages?: readonly KeyUsage[];
  readonly extendedKeyUsages?: readonly ExtendedKeyUsage[];
  readonly subjectKeyId?: string;
  readonly authorityKeyId?: string;
  /** Critical extensions this module does not understand: such a certificate must not be trusted. */
  readonly unknownCritical: readonly string[];
}

function readAltNames(value: Buffer): SubjectAltNames {
  const dnsNames: string[] = [];
  const ipAddresses: string[] = [];
  const uris: string[] = [];
  const emails: string[] = [];
  const reader = new DerReader(value).enter();
  while (!reader.done) {
    const node = reader.next();
    const text = node.content.toString('latin1');
    if (node.tag === contextPrimitive(1)) emails.push(text);
    else if (node.tag === contextPrimitive(2)) dnsNames.push(text);
    else if (node.tag === contextPrimitive(6)) uris.push(text);
    else if (node.tag === contextPrimitive(7)) ipAddresses.push(ipText(node.content) ?? '');
  }
  return {
    ...(dnsNames.length > 0 ? { dnsNames } : {}),
    ...(ipAddresses.length > 0 ? { ipAddresses } : {}),
    ...(uris.length > 0 ? { uris } : {}),
    ...(emails.length > 0 ? { emails } : {}),
  };
}

function readKeyUsage(value: Buffer): KeyUsage[] {
  const bits = new DerReader(value).next(tag.bitString).content.subarray(1);
  return keyUsageBits.filter((_, index) => ((bits[index >> 3] ?? 0) & (0x80 >> (index & 7))) !== 0);
}

function readExtendedKeyUsage(value: Buffer): ExtendedKeyUsage[] {
  const reader = new DerReader(value).enter();
  const usages: ExtendedKeyUsage[] = [];
  while (!reader.done) {
    const name = extendedKeyUsageNames.get(reader.oid());
    if (name) usages.push(name);
  }
  return usages;
}

function readExtension(id: string, value: Buffer): Partial<Extensions> | undefined {
  switch (id) {
    case extensionOid.basicConstraints: {
      const reader = new DerReader(value).enter();
      const isCa = reader.optional(tag.boolean)?.content[0] === 0xff;
      const length = reader.optional(tag.integer)?.content;
      return { isCa, ...(length && length.length === 1 ? { pathLength: length[0] as number } : {}) };
    }
    case extensionOid.keyUsage:
      return { keyUsages: readKeyUsage(value) };
    case extensionOid.extendedKeyUsage:
      return { extendedKeyUsages: readExtendedKeyUsage(value) };
    case extensionOid.subjectAltName:
      return readAltNames(value);
    case extensionOid.subjectKeyId:
      return { subjectKeyId: new DerReader(value).next(tag.octetString).content.toString('hex') };
    case extensionOid.authorityKeyId: {
      const id0 = new DerReader(value).enter().optional(contextPrimitive(0));
      return id0 ? { authorityKeyId: id0.content.toString('hex') } : {};
    }
    default:
      return undefined;
  }
}

/** Reads a SEQUENCE OF Extension. */
export function readExtensions(reader: DerReader): Extensions {
  let found: Extensions = { isCa: false, unknownCritical: [] };
  while (!reader.done) {
    const one = reader.enter();
    const id = one.oid();
    const critical = one.optional(tag.boolean)?.content[0] === 0xff;
    const value = one.next(tag.octetString).content;
    const known = readExtension(id, value);
    if (known) found = { ...found, ...known };
    else if (critical) found = { ...found, unknownCritical: [...found.unknownCritical, id] };
  }
  return found;
}

/** The `[n] EXPLICIT Extensions` wrapper of a certificate. */
export const extensionList = (extensions: readonly Uint8Array[]) =>
  element(contextConstructed(3), sequence(...extensions));
