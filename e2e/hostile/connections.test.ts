import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { connect as connectHttp2, constants } from 'node:http2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBuilt } from '../harness/process.ts';
import { Victim } from './victim.ts';

// Far above what a busy machine needs and far below what a hang takes: this is no measurement.
const patienceMs = 10_000;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

describe.skipIf(!isBuilt())('hostile connections', () => {
  let victim: Victim;
  beforeAll(async () => {
    victim = await Victim.start();
  });
  afterAll(() => victim.stop());

  it('When two hundred clients send their headers a byte at a time, it should serve everybody else', async () => {
    const sockets = await Promise.all(Array.from({ length: 200 }, () => victim.socket()));
    for (const socket of sockets) socket.on('error', () => {});
    const worst = await victim.worstWaitDuring(async () => {
      for (const letter of 'GET /version HTTP/1.1\r\nX-Slow: ') {
        for (const socket of sockets) socket.write(letter);
        await pause(20);
      }
    });
    for (const socket of sockets) socket.destroy();
    expect(worst).toBeLessThan(patienceMs);
  });

  it('When bodies are announced and never sent, it should serve everybody else', async () => {
    const sockets = await Promise.all(Array.from({ length: 100 }, () => victim.socket()));
    for (const socket of sockets) {
      socket.on('error', () => {});
      socket.write(
        'POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
      );
    }
    const worst = await victim.worstWaitDuring(() => pause(500));
    const { code } = await victim.json('POST', '/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'honest' },
    });
    for (const socket of sockets) socket.destroy();
    expect(code).toBe(201);
    expect(worst).toBeLessThan(patienceMs);
  });

  it('When connections open and say nothing, it should serve everybody else', async () => {
    const sockets = Array.from({ length: 200 }, () => connectTcp(victim.port, '127.0.0.1'));
    for (const socket of sockets) socket.on('error', () => {});
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets.slice(0, 50)) socket.write('this is no TLS\r\n\r\n');
    const worst = await victim.worstWaitDuring(() => pause(500));
    for (const socket of sockets) socket.destroy();
    expect(worst).toBeLessThan(patienceMs);
    expect(victim.isAlive).toBe(true);
  });

  it('When HTTP/2 streams are opened and reset by the thousand, it should not be kept busy', async () => {
    const worst = await victim.worstWaitDuring(async () => {
      for (let round = 0; round < 5; round++) {
        const session = connectHttp2(`https://127.0.0.1:${victim.port}`, victim.tlsOptions);
        session.on('error', () => {});
        for (let i = 0; i < 2000 && !session.destroyed; i++) {
          const stream = session.request({ ':path': '/api/v1/configmaps' });
          stream.on('error', () => {});
          stream.close(constants.NGHTTP2_CANCEL);
          if (i % 200 === 0) await pause(1);
        }
        session.destroy();
      }
    });
    expect(worst).toBeLessThan(patienceMs);
    expect(victim.isAlive).toBe(true);
  });

  it('When watches are opened and left by the hundred, it should give everything back', async () => {
    for (let round = 0; round < 3; round++) {
      const sockets = await Promise.all(Array.from({ length: 100 }, () => victim.socket()));
      for (const socket of sockets) {
        socket.on('error', () => {});
        socket.write('GET /api/v1/configmaps?watch=true HTTP/1.1\r\nHost: x\r\n\r\n');
      }
      await pause(200);
      for (const socket of sockets) socket.destroy();
    }
    const worst = await victim.worstWaitDuring(() => pause(200));
    expect(worst).toBeLessThan(patienceMs);
  });

  it.each([
    ['a request that is none', 'NONSENSE\r\n\r\n'],
    [
      'both ways to say a length',
      'POST /version HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /',
    ],
    [
      'a chunk of negative size',
      'POST /version HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n',
    ],
    ['folded headers', 'GET /version HTTP/1.1\r\nHost: x\r\nX-A: b\r\n  c\r\n\r\n'],
    ['a header with a NUL', 'GET /version HTTP/1.1\r\nHost: x\r\nX-A: \0\r\n\r\n'],
    ['an absolute address', 'GET http://169.254.169.254/latest HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['an upgrade to nowhere', 'GET /version HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: nonsense\r\n\r\n'],
    ['a tunnel', 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('When a connection sends %s, it should answer an error or hang up', async (_, bytes) => {
    const socket = await victim.socket();
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.write(bytes);
    await Promise.race([once(socket, 'close'), pause(1000)]);
    socket.destroy();
    expect(text).not.toMatch(/^HTTP\/1\.1 5/);
    expect(victim.isAlive).toBe(true);
    expect((await victim.send({ path: '/livez' })).code).toBe(200);
  });
});
