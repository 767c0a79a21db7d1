/** What the start of a TLS connection tells about the name it asks for. */
export type ServerName = { readonly name: string | undefined } | 'incomplete' | 'not-tls';

const handshakeRecord = 22;
const clientHello = 1;
const serverNameExtension = 0;
/** A ClientHello with every extension fits in here; more is somebody playing. */
export const maxHelloBytes = 16_384;

/** Reads the server name of a ClientHello (RFC 8446 section 4.1.2, RFC 6066 section 3), over several records if need be. */
export function serverNameOf(bytes: Buffer): ServerName {
  const hello = handshakeOf(bytes);
  if (typeof hello === 'string') return hello;
  let at = 4 + 2 + 32;
  const skip = (lengthBytes: 1 | 2): void => {
    at += lengthBytes + hello.readUIntBE(at, lengthBytes);
  };
  try {
    skip(1); // session
    skip(2); // cipher suites
    skip(1); // compression
    if (at + 2 > hello.length) return { name: undefined };
    const end = at + 2 + hello.readUInt16BE(at);
    for (at += 2; at + 4 <= end; at += 4 + hello.readUInt16BE(at + 2)) {
      if (hello.readUInt16BE(at) !== serverNameExtension) continue;
      const length = hello.readUInt16BE(at + 7);
      const name = hello.subarray(at + 9, at + 9 + length);
      return name.length === length ? { name: name.toString('latin1').toLowerCase() } : 'not-tls';
    }
    return { name: undefined };
  } catch {
    return 'not-tls';
  }
}

/** The ClientHello without its records. */
function handshakeOf(bytes: Buffer): Buffer | 'incomplete' | 'not-tls' {
  const parts: Buffer[] = [];
  let have = 0;
  for (let at = 0; ; ) {
    if (bytes.length > at && bytes[at] !== handshakeRecord) return 'not-tls';
    if (bytes.length < at + 5) return 'incomplete';
    const length = bytes.readUInt16BE(at + 3);
    const part = bytes.subarray(at + 5, at + 5 + length);
    parts.push(part);
    have += part.length;
    const message = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    if (message.length >= 1 && message[0] !== clientHello) return 'not-tls';
    if (have >= 4 && have >= 4 + message.readUIntBE(1, 3)) return message.subarray(0, 4 + message.readUIntBE(1, 3));
    if (part.length < length) return 'incomplete';
    at += 5 + length;
  }
}
