import type { Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Frame } from './amqp-frames.ts';
import { BODY, encodeFrame, HEADER, METHOD, Reader, takeFrames, Writer } from './amqp-frames.ts';

interface Message {
  readonly exchange: string;
  readonly key: string;
  readonly header: Buffer;
  readonly body: Buffer;
  redelivered: boolean;
}

interface Consumer {
  readonly connection: Connection;
  readonly channel: number;
  readonly tag: string;
}

class Queue {
  readonly messages: Message[] = [];
  readonly consumers: Consumer[] = [];

  push(message: Message): void {
    this.messages.push(message);
    this.drain();
  }

  drain(): void {
    while (this.messages.length > 0 && this.consumers.length > 0) {
      const consumer = this.consumers.shift()!;
      this.consumers.push(consumer);
      consumer.connection.deliver(consumer, this, this.messages.shift()!);
    }
  }
}

/** Exchanges, queues and acknowledgements of AMQP 0-9-1 on a loopback port, as far as the binding uses them. */
export class AmqpServer {
  readonly queues = new Map<string, Queue>();
  readonly exchanges = new Map<string, { readonly type: string; readonly bindings: Set<string> }>();
  private readonly connections = new Set<Connection>();
  private readonly server: Server;

  private constructor() {
    this.server = createServer((socket) => {
      const connection = new Connection(socket, this);
      this.connections.add(connection);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.connections.delete(connection);
        connection.abandon();
      });
    });
  }

  static async start(): Promise<AmqpServer> {
    const server = new AmqpServer();
    await new Promise<void>((resolve) => server.server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `amqp://guest:guest@127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** Cuts every connection, as a server that is restarted does. */
  cut(): void {
    for (const connection of this.connections) connection.destroy();
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  publish(message: Message): void {
    for (const queue of this.exchanges.get(message.exchange)?.bindings ?? [])
      this.queues.get(queue)?.push({ ...message });
  }
}

class Connection {
  private readonly socket: Socket;
  private readonly server: AmqpServer;
  private readonly unacked = new Map<string, { readonly queue: Queue; readonly message: Message }>();
  private readonly confirming = new Set<number>();
  private readonly published = new Map<number, number>();
  private readonly receiving = new Map<
    number,
    { exchange: string; key: string; header?: Buffer; left: number; parts: Buffer[] }
  >();
  private received = Buffer.alloc(0);
  private greeted = false;
  private deliveries = 0;

  constructor(socket: Socket, server: AmqpServer) {
    this.socket = socket;
    this.server = server;
    socket.on('data', (chunk) => this.data(chunk));
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Gives back what was not acknowledged. */
  abandon(): void {
    for (const queue of this.server.queues.values())
      queue.consumers.splice(
        0,
        queue.consumers.length,
        ...queue.consumers.filter(({ connection }) => connection !== this),
      );
    const held = [...this.unacked.values()];
    this.unacked.clear();
    for (const { queue, message } of held) queue.push({ ...message, redelivered: true });
  }

  deliver({ channel, tag }: Consumer, queue: Queue, message: Message): void {
    const id = ++this.deliveries;
    this.unacked.set(`${channel}/${id}`, { queue, message });
    const args = new Writer()
      .shortstr(tag)
      .longlong(id)
      .octet(message.redelivered ? 1 : 0);
    this.method(channel, 60, 60, args.shortstr(message.exchange).shortstr(message.key));
    this.socket.write(encodeFrame({ type: HEADER, channel, payload: message.header }));
    if (message.body.length > 0) this.socket.write(encodeFrame({ type: BODY, channel, payload: message.body }));
  }

  private data(chunk: Buffer): void {
    this.received = Buffer.concat([this.received, chunk]);
    if (!this.greeted) {
      if (this.received.length < 8) return;
      this.received = this.received.subarray(8);
      this.greeted = true;
      this.method(0, 10, 10, new Writer().octet(0).octet(9).long(0).longstr('PLAIN').longstr('en_US'));
    }
    const { frames, rest } = takeFrames(this.received);
    this.received = Buffer.from(rest);
    for (const frame of frames) this.frame(frame);
  }

  private method(channel: number, classId: number, methodId: number, args = new Writer()): void {
    const payload = new Writer().short(classId).short(methodId).bytes(args.done()).done();
    if (this.socket.writable) this.socket.write(encodeFrame({ type: METHOD, channel, payload }));
  }

  private frame({ type, channel, payload }: Frame): void {
    if (type === METHOD) this.call(channel, payload.readUInt16BE(0), payload.readUInt16BE(2), new Reader(payload, 4));
    else if (type === HEADER || type === BODY) this.content(channel, type, payload);
  }

  private content(channel: number, type: number, payload: Buffer): void {
    const message = this.receiving.get(channel);
    if (!message) return;
    if (type === HEADER) {
      message.header = Buffer.from(payload);
      message.left = Number(payload.readBigUInt64BE(4));
    } else {
      message.parts.push(Buffer.from(payload));
      message.left -= payload.length;
    }
    if (message.left > 0) return;
    this.receiving.delete(channel);
    const { exchange, key, header } = message;
    this.server.publish({ exchange, key, header: header!, body: Buffer.concat(message.parts), redelivered: false });
    if (!this.confirming.has(channel)) return;
    const count = (this.published.get(channel) ?? 0) + 1;
    this.published.set(channel, count);
    this.method(channel, 60, 80, new Writer().longlong(count).octet(0));
  }

  private call(channel: number, classId: number, methodId: number, args: Reader): void {
    switch (`${classId}.${methodId}`) {
      case '10.11':
        return this.method(0, 10, 30, new Writer().short(100).long(131_072).short(0));
      case '10.40':
        return this.method(0, 10, 41, new Writer().shortstr(''));
      case '10.50':
        this.method(0, 10, 51);
        this.socket.end();
        return;
      case '20.10':
        return this.method(channel, 20, 11, new Writer().longstr(''));
      case '20.40':
        return this.method(channel, 20, 41);
      case '40.10':
        return this.declareExchange(channel, args);
      case '50.10':
        return this.declareQueue(channel, args);
      case '50.20':
        return this.bind(channel, args);
      case '60.10':
        return this.method(channel, 60, 11);
      case '60.20':
        return this.consume(channel, args);
      case '60.30':
        return this.cancel(channel, args);
      case '60.40':
        args.short();
        this.receiving.set(channel, { exchange: args.shortstr(), key: args.shortstr(), left: 1, parts: [] });
        return;
      case '60.80':
        this.unacked.delete(`${channel}/${args.longlong()}`);
        return;
      case '60.120':
        return this.refuse(channel, args);
      case '85.10':
        this.confirming.add(channel);
        return this.method(channel, 85, 11);
      default:
    }
  }

  private declareExchange(channel: number, args: Reader): void {
    args.short();
    const [name, type] = [args.shortstr(), args.shortstr()];
    if (!this.server.exchanges.has(name)) this.server.exchanges.set(name, { type, bindings: new Set() });
    this.method(channel, 40, 11);
  }

  private declareQueue(channel: number, args: Reader): void {
    args.short();
    const name = args.shortstr();
    if (!this.server.queues.has(name)) this.server.queues.set(name, new Queue());
    this.method(channel, 50, 11, new Writer().shortstr(name).long(0).long(0));
  }

  private bind(channel: number, args: Reader): void {
    args.short();
    const [queue, exchange] = [args.shortstr(), args.shortstr()];
    this.server.exchanges.get(exchange)?.bindings.add(queue);
    this.method(channel, 50, 21);
  }

  private consume(channel: number, args: Reader): void {
    args.short();
    const [name, wanted] = [args.shortstr(), args.shortstr()];
    const tag = wanted === '' ? `tag-${name}-${++this.deliveries}` : wanted;
    this.method(channel, 60, 21, new Writer().shortstr(tag));
    const queue = this.server.queues.get(name)!;
    queue.consumers.push({ connection: this, channel, tag });
    queue.drain();
  }

  private cancel(channel: number, args: Reader): void {
    const tag = args.shortstr();
    for (const { consumers } of this.server.queues.values()) {
      const at = consumers.findIndex((one) => one.connection === this && one.tag === tag);
      if (at >= 0) consumers.splice(at, 1);
    }
    this.method(channel, 60, 31, new Writer().shortstr(tag));
  }

  private refuse(channel: number, args: Reader): void {
    const id = `${channel}/${args.longlong()}`;
    const requeue = (args.octet() & 2) !== 0;
    const held = this.unacked.get(id);
    this.unacked.delete(id);
    if (held && requeue) held.queue.push({ ...held.message, redelivered: true });
  }
}
