import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { listen } from './listen.ts';

describe('listen', () => {
  it('When it closes during a request, it should answer it, take no more, and not wait for connections kept open', async () => {
    let answer = () => {};
    const arrived = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let finish = () => {};
    const server = await listen(
      (_, outgoing) => {
        finish = () => outgoing.end('done');
        answer();
      },
      { host: '127.0.0.1', port: 0, readTimeoutMs: 5000 },
    );
    const socket = connect(server.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n');
    await arrived;
    // Longer than the test may take: nothing may wait for it.
    const closed = server.close(600_000);
    finish();
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString()).toContain('200 OK');
    await closed;
    const late = connect(server.port, '127.0.0.1');
    const [error] = (await once(late, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
    socket.destroy();
  });

  it('When a client does not end its request, closing should cut it off after the grace', async () => {
    const server = await listen(() => {}, { host: '127.0.0.1', port: 0, readTimeoutMs: 60_000 });
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n');
    const ended = once(socket, 'close');
    await server.close(1);
    await ended;
    expect(socket.destroyed).toBe(true);
  });
});
