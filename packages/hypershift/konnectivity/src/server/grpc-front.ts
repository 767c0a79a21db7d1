import type { Duplex } from 'node:stream';
import { PacketStream, type PacketStreamOptions } from '../wire/packet-stream.ts';
import type { Packet } from '../wire/packet.ts';
import { maxDataBytes, type TunnelConnection } from '../wire/tunnel-connection.ts';
import type { Tunnel } from './tunnel.ts';

/**
 * `--mode=grpc`: one ProxyService/Proxy stream of an API server. Upstream's client opens one connection per stream, but
 * nothing in the protocol limits it to one, so several work too.
 */
export function serveGrpcFront(tunnel: Tunnel, call: Duplex, options: PacketStreamOptions): void {
  const dials = new Map<bigint, AbortController>();
  const connections = new Map<number, TunnelConnection>();
  let lastID = 0;

  const dial = async (address: string, random: bigint) => {
    const abort = new AbortController();
    dials.set(random, abort);
    try {
      const connection = await tunnel.dial(address, abort.signal);
      // The ids of two agents may be equal, so the stream has its own.
      const connectID = ++lastID;
      connections.set(connectID, connection);
      stream.send({ type: 'DIAL_RSP', error: '', connectID, random });
      carry(connectID, connection);
    } catch (error) {
      stream.send({ type: 'DIAL_RSP', error: (error as Error).message, connectID: 0, random });
    } finally {
      dials.delete(random);
    }
  };

  const carry = (connectID: number, connection: TunnelConnection) => {
    connection.on('data', (data: Buffer) => {
      let writable = true;
      for (let at = 0; at < data.length; at += maxDataBytes)
        writable = stream.send({ type: 'DATA', connectID, error: '', data: data.subarray(at, at + maxDataBytes) });
      if (writable) return;
      connection.pause();
      stream.whenWritable(() => connection.resume());
    });
    const closed = (error: string) => {
      if (!connections.delete(connectID)) return;
      stream.unblock(receivers.get(connectID) ?? noReceiver);
      receivers.delete(connectID);
      stream.send({ type: 'CLOSE_RSP', error, connectID });
    };
    connection.on('error', (error) => closed(error.message));
    connection.on('close', () => closed(''));
    if (stream.closed) connection.destroy();
  };

  const noReceiver = { stalled() {} };
  const receivers = new Map<number, { stalled(): void }>();
  const write = (connectID: number, connection: TunnelConnection, data: Buffer) => {
    if (connection.write(data) || connection.writableLength < 8 * maxDataBytes) return;
    const receiver = receivers.get(connectID) ?? { stalled: () => void connection.destroy() };
    receivers.set(connectID, receiver);
    stream.block(receiver);
    connection.once('drain', () => stream.unblock(receiver));
  };

  const receive = (packet: Packet) => {
    switch (packet.type) {
      case 'DIAL_REQ':
        return void dial(packet.address, packet.random);
      case 'DIAL_CLS':
        return dials.get(packet.random)?.abort();
      case 'DATA': {
        const connection = connections.get(packet.connectID);
        if (connection) write(packet.connectID, connection, packet.data);
        else stream.send({ type: 'CLOSE_RSP', error: 'unrecognized connectID', connectID: packet.connectID });
        return;
      }
      case 'CLOSE_REQ':
        return closeRequested(connections.get(packet.connectID), packet.connectID);
      default:
    }
  };

  const closeRequested = (connection: TunnelConnection | undefined, connectID: number) => {
    if (!connection) stream.send({ type: 'CLOSE_RSP', error: 'Unknown connectID', connectID });
    else if (connection.writableEnded) connection.destroy();
    else connection.end();
  };

  const stream: PacketStream = new PacketStream(call, options, {
    onPacket: receive,
    onClose: () => {
      for (const abort of dials.values()) abort.abort();
      for (const connection of connections.values()) connection.destroy();
      if (!call.writableEnded) call.end();
    },
  });
}
