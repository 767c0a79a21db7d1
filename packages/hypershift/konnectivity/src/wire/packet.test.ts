import { describe, expect, it } from 'vitest';
import { decodePacket, encodePacket, type Packet } from './packet.ts';

/** Bytes worked out by hand from client.proto and protobuf's encoding rules. */
const vectors: readonly (readonly [Packet, string])[] = [
  [
    { type: 'DIAL_REQ', protocol: 'tcp', address: '10.0.0.1:443', random: 9223372036854775807n },
    '121d0a03746370120c31302e302e302e313a34343318ffffffffffffffff7f',
  ],
  [{ type: 'DIAL_RSP', error: '', connectID: 300, random: 5n }, '08011a0510ac021805'],
  [{ type: 'DIAL_RSP', error: 'no', connectID: 0, random: 5n }, '08011a060a026e6f1805'],
  [{ type: 'CLOSE_REQ', connectID: 1 }, '08022a020801'],
  [{ type: 'CLOSE_RSP', error: 'x', connectID: 1 }, '080332050a01781001'],
  [{ type: 'DATA', connectID: 1, error: '', data: Buffer.from('hi') }, '0804220608011a026869'],
  [{ type: 'DIAL_CLS', random: 7n }, '08053a020807'],
  [{ type: 'DRAIN' }, '08064200'],
];

describe('packets', () => {
  it.each(vectors)(
    'When %o is encoded, it should be the protobuf of client.proto and read back the same',
    (packet, hex) => {
      expect(encodePacket(packet).toString('hex')).toBe(hex);
      expect(decodePacket(Buffer.from(hex, 'hex'))).toEqual(packet);
    },
  );

  it('When large data is encoded, it should read back the same', () => {
    const data = Buffer.alloc(100_000, 3);
    const packet: Packet = { type: 'DATA', connectID: 2 ** 40, error: '', data };
    expect(decodePacket(encodePacket(packet))).toEqual(packet);
  });

  it.each([
    ['a type of the future', '08634a00'],
    ['a type without its payload', '0804'],
    ['nothing at all', ''],
  ])('When %s arrives, it should be a packet to ignore', (_what, hex) => {
    expect(decodePacket(Buffer.from(hex, 'hex'))).toEqual({ type: 'UNKNOWN' });
  });

  it.each([
    ['a length beyond the message', '0804220f08011a'],
    ['a number without end', '08ffffffffffffffffffffffff'],
    ['a negative connection', '08022a0b08ffffffffffffffffff01'],
    ['a field type that protobuf does not have', '0f'],
  ])('When %s arrives, it should be refused', (_what, hex) => {
    expect(() => decodePacket(Buffer.from(hex, 'hex'))).toThrow('malformed packet');
  });
});
