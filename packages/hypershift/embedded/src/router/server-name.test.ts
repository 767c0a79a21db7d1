import { connect as connectTcp, createServer } from 'node:net';
import { connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { serverNameOf } from './server-name.ts';

/** The first bytes a real TLS client sends. */
async function helloOf(options: object): Promise<Buffer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const received = new Promise<Buffer>((resolve) =>
    server.once('connection', (socket) => {
      socket.on('error', () => {});
      socket.once('data', (data) => {
        resolve(data as Buffer);
        socket.destroy();
      });
    }),
  );
  const client = connect({ socket: connectTcp({ host: '127.0.0.1', port }), rejectUnauthorized: false, ...options });
  client.on('error', () => {});
  const bytes = await received;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return bytes;
}

describe('serverNameOf', () => {
  let hello: Buffer;

  it('When a client asks for a name, it should find it in lower case', async () => {
    hello = await helloOf({ servername: 'API.demo.Example.com' });
    expect(serverNameOf(hello)).toEqual({ name: 'api.demo.example.com' });
  });

  it('When a client asks for none, it should say so', async () => {
    expect(serverNameOf(await helloOf({}))).toEqual({ name: undefined });
  });

  it('When only a part has arrived, it should ask for more at every length', () => {
    for (let length = 1; length < hello.length; length++)
      expect(serverNameOf(hello.subarray(0, length))).toBe('incomplete');
  });

  it('When the hello is cut into several records, it should put it together', () => {
    const body = hello.subarray(5);
    const records = [body.subarray(0, 70), body.subarray(70)].map((part) => {
      const head = Buffer.from(hello.subarray(0, 5));
      head.writeUInt16BE(part.length, 3);
      return Buffer.concat([head, part]);
    });
    expect(serverNameOf(Buffer.concat(records))).toEqual({ name: 'api.demo.example.com' });
  });

  it('When it is not TLS, it should say so', () => {
    expect(serverNameOf(Buffer.from('GET / HTTP/1.1\r\n'))).toBe('not-tls');
    expect(serverNameOf(Buffer.from([22, 3, 1, 0, 5, 2, 0, 0, 1, 0]))).toBe('not-tls');
  });
});
