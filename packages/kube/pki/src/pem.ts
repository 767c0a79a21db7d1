import { createHash } from 'node:crypto';

export interface PemBlock {
  /** `CERTIFICATE`, `EC PRIVATE KEY`, ... */
  readonly label: string;
  readonly der: Buffer;
}

/** More text than this is not a certificate bundle, and scanning it is not worth the event loop's time. */
export const maxPemBytes = 4 * 1024 * 1024;

const begin = '-----BEGIN ';
const ending = '-----END ';
const dashes = '-----';

/** Every PEM block of a text, in order. Text between blocks (comments, `openssl x509 -text`) and broken blocks are skipped. */
export function splitPem(text: string): PemBlock[] {
  if (text.length > maxPemBytes) throw new Error(`PEM input is larger than ${maxPemBytes} bytes`);
  const blocks: PemBlock[] = [];
  // Each search starts where the last one ended, so a hostile text costs one pass, not one per header.
  for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at)) {
    const labelStart = at + begin.length;
    const end = text.indexOf(ending, labelStart);
    if (end < 0) break;
    const header = text.lastIndexOf(begin, end);
    const labelEnd = text.indexOf(dashes, header + begin.length);
    const label = text.slice(header + begin.length, labelEnd);
    at = end + ending.length;
    if (labelEnd >= end || !text.startsWith(`${label}${dashes}`, at)) continue;
    const der = Buffer.from(text.slice(labelEnd + dashes.length, end), 'base64');
    if (der.length > 0) blocks.push({ label, der });
  }
  return blocks;
}

export function encodePem(label: string, der: Uint8Array): string {
  const base64 = Buffer.from(der.buffer, der.byteOffset, der.byteLength).toString('base64');
  return `-----BEGIN ${label}-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`;
}

/** The DER of every certificate in a PEM text. */
export function certificatesIn(pem: string): Buffer[] {
  return splitPem(pem)
    .filter((block) => block.label === 'CERTIFICATE')
    .map((block) => block.der);
}

/** Joins certificates of several PEM texts into one bundle: first come first, no certificate twice. */
export function bundle(...pems: readonly string[]): string {
  const seen = new Set<string>();
  let joined = '';
  for (const der of pems.flatMap(certificatesIn)) {
    const print = fingerprint(der);
    if (seen.has(print)) continue;
    seen.add(print);
    joined += encodePem('CERTIFICATE', der);
  }
  return joined;
}

/** The bundle without certificates that fail the test; how a CA is retired. */
export function bundleWithout(pem: string, drop: (der: Buffer) => boolean): string {
  return certificatesIn(pem)
    .filter((der) => !drop(der))
    .map((der) => encodePem('CERTIFICATE', der))
    .join('');
}

/** Lower-case hex SHA-256 of a DER certificate. */
export function fingerprint(der: Uint8Array): string {
  return createHash('sha256').update(der).digest('hex');
}
