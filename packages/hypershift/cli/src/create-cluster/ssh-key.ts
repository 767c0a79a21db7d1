import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';

const bits = 4096;

/** A field of the SSH wire format: length, then bytes. */
function field(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** A number of the wire format: it would be negative with its first bit set, so a zero byte goes before. */
function number(base64url: string): Buffer {
  const bytes = Buffer.from(base64url, 'base64url');
  return field((bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes);
}

/** The `ssh-rsa AAAA...` line of an RSA public key. */
export function sshPublicKey({ n = '', e = '' }: { readonly n?: string; readonly e?: string }): string {
  const wire = Buffer.concat([field(Buffer.from('ssh-rsa')), number(e), number(n)]);
  return `ssh-rsa ${wire.toString('base64')}\n`;
}

/** A new key pair for logging in to nodes. */
export async function newSshKey(): Promise<{ readonly publicKey: string; readonly privateKey: string }> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: bits });
  return {
    publicKey: sshPublicKey(publicKey.export({ format: 'jwk' })),
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs1' }) as string,
  };
}
