/** The messages of the tunnel protocol (konnectivity-client/proto/client/client.proto), one shape per packet type. */
export type Packet =
  | { readonly type: 'DIAL_REQ'; readonly protocol: string; readonly address: string; readonly random: bigint }
  | { readonly type: 'DIAL_RSP'; readonly error: string; readonly connectID: number; readonly random: bigint }
  | { readonly type: 'CLOSE_REQ'; readonly connectID: number }
  | { readonly type: 'CLOSE_RSP'; readonly error: string; readonly connectID: number }
  | { readonly type: 'DATA'; readonly connectID: number; readonly error: string; readonly data: Buffer }
  | { readonly type: 'DIAL_CLS'; readonly random: bigint }
  | { readonly type: 'DRAIN' }
  /** A type of a newer peer, or a packet whose payload does not fit its type; receivers ignore it. */
  | { readonly type: 'UNKNOWN' };

export type PacketType = Packet['type'];

/** PacketType on the wire is the index here; the payload's field number is in the second column. */
const kinds = [
  ['DIAL_REQ', 2],
  ['DIAL_RSP', 3],
  ['CLOSE_REQ', 5],
  ['CLOSE_RSP', 6],
  ['DATA', 4],
  ['DIAL_CLS', 7],
  ['DRAIN', 8],
] as const;

const empty = Buffer.alloc(0);

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) size++;
  return size;
}

function putVarint(into: Buffer, at: number, value: number): number {
  let rest = value;
  let next = at;
  while (rest > 127) {
    into[next++] = (rest % 128) + 128;
    rest = Math.floor(rest / 128);
  }
  into[next++] = rest;
  return next;
}

function bigVarint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

function numberField(field: number, value: number): Buffer {
  if (value === 0) return empty;
  const bytes = Buffer.allocUnsafe(1 + varintSize(value));
  bytes[0] = field << 3;
  putVarint(bytes, 1, value);
  return bytes;
}

function bigField(field: number, value: bigint): Buffer {
  return value === 0n ? empty : Buffer.concat([Buffer.of(field << 3), bigVarint(value)]);
}

function textField(field: number, value: string): Buffer {
  if (value === '') return empty;
  const text = Buffer.from(value);
  const head = Buffer.allocUnsafe(1 + varintSize(text.length));
  head[0] = (field << 3) | 2;
  putVarint(head, 1, text.length);
  return Buffer.concat([head, text]);
}

/** DATA is the hot path: one allocation, one copy. */
function encodeData(connectID: number, data: Buffer): Buffer {
  const idSize = varintSize(connectID);
  const payload = 1 + idSize + 1 + varintSize(data.length) + data.length;
  const bytes = Buffer.allocUnsafe(2 + 1 + varintSize(payload) + payload);
  bytes[0] = 1 << 3;
  bytes[1] = 4;
  bytes[2] = (4 << 3) | 2;
  let at = putVarint(bytes, 3, payload);
  bytes[at++] = 1 << 3;
  at = putVarint(bytes, at, connectID);
  bytes[at++] = (3 << 3) | 2;
  at = putVarint(bytes, at, data.length);
  data.copy(bytes, at);
  return bytes;
}

function payloadOf(packet: Packet): Buffer[] {
  switch (packet.type) {
    case 'DIAL_REQ':
      return [textField(1, packet.protocol), textField(2, packet.address), bigField(3, packet.random)];
    case 'DIAL_RSP':
      return [textField(1, packet.error), numberField(2, packet.connectID), bigField(3, packet.random)];
    case 'CLOSE_REQ':
      return [numberField(1, packet.connectID)];
    case 'CLOSE_RSP':
      return [textField(1, packet.error), numberField(2, packet.connectID)];
    case 'DIAL_CLS':
      return [bigField(1, packet.random)];
    default:
      return [];
  }
}

/** A packet as protobuf. */
export function encodePacket(packet: Packet): Buffer {
  if (packet.type === 'DATA') return encodeData(packet.connectID, packet.data);
  const index = kinds.findIndex(([name]) => name === packet.type);
  const kind = kinds[index];
  if (!kind) throw new Error(`konnectivity: a packet of type ${packet.type} cannot be sent`);
  const payload = Buffer.concat(payloadOf(packet));
  const head = Buffer.allocUnsafe(1 + varintSize(payload.length));
  head[0] = (kind[1] << 3) | 2;
  putVarint(head, 1, payload.length);
  return Buffer.concat([numberField(1, index), head, payload]);
}

interface Fields {
  readonly numbers: Map<number, bigint>;
  readonly bytes: Map<number, Buffer>;
}

class Malformed extends Error {
  constructor() {
    super('konnectivity: malformed packet');
  }
}

/** One level of a protobuf message; the last value of a field wins, as protobuf has it. */
function fieldsOf(message: Buffer): Fields {
  const fields: Fields = { numbers: new Map(), bytes: new Map() };
  let at = 0;
  const varint = (): bigint => {
    // Almost every number fits in four bytes; those never touch a bigint until the end.
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = message[at++];
      if (byte === undefined) throw new Malformed();
      low |= (byte & 127) << shift;
      if (byte < 128) return BigInt(low);
    }
    let value = BigInt(low);
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = message[at++];
      if (byte === undefined) throw new Malformed();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asIntN(64, value);
    }
    throw new Malformed();
  };
  while (at < message.length) {
    const key = Number(varint());
    const field = key >>> 3;
    switch (key & 7) {
      case 0:
        fields.numbers.set(field, varint());
        break;
      case 2: {
        const end = Number(varint()) + at;
        if (end < at || end > message.length) throw new Malformed();
        fields.bytes.set(field, message.subarray(at, end));
        at = end;
        break;
      }
      case 1:
        at += 8;
        break;
      case 5:
        at += 4;
        break;
      default:
        throw new Malformed();
    }
    if (at > message.length) throw new Malformed();
  }
  return fields;
}

/** A packet from protobuf; the bytes of DATA are a view of the message. Throws when it is not protobuf. */
export function decodePacket(message: Buffer): Packet {
  const outer = fieldsOf(message);
  const kind = kinds[Number(outer.numbers.get(1) ?? 0n)];
  const payload = kind && outer.bytes.get(kind[1]);
  if (!kind || !payload) return kind?.[0] === 'DRAIN' ? { type: 'DRAIN' } : { type: 'UNKNOWN' };
  const { numbers, bytes } = fieldsOf(payload);
  const text = (field: number) => bytes.get(field)?.toString() ?? '';
  const random = (field: number) => numbers.get(field) ?? 0n;
  const connectID = (field: number) => {
    const id = Number(numbers.get(field) ?? 0n);
    if (!Number.isSafeInteger(id) || id < 0) throw new Malformed();
    return id;
  };
  switch (kind[0]) {
    case 'DIAL_REQ':
      return { type: 'DIAL_REQ', protocol: text(1), address: text(2), random: random(3) };
    case 'DIAL_RSP':
      return { type: 'DIAL_RSP', error: text(1), connectID: connectID(2), random: random(3) };
    case 'CLOSE_REQ':
      return { type: 'CLOSE_REQ', connectID: connectID(1) };
    case 'CLOSE_RSP':
      return { type: 'CLOSE_RSP', error: text(1), connectID: connectID(2) };
    case 'DATA':
      return { type: 'DATA', connectID: connectID(1), error: text(2), data: bytes.get(3) ?? empty };
    case 'DIAL_CLS':
      return { type: 'DIAL_CLS', random: random(1) };
    case 'DRAIN':
      return { type: 'DRAIN' };
  }
}
