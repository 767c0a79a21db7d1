import { createServer as createHttpServer, request } from 'node:http';
import { connect, type Server, type Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Dialer } from '../dialer/konnectivity-dialer.ts';
import { listening, portOf } from '../status-server.ts';
import { eventually, Loopback, readAll, type TestPki, testPki } from '../testing/loopback.ts';
import { httpProxy } from './http-proxy.ts';
import { socks5Proxy } from './socks5.ts';

let pki: TestPki;
let there: Loopback;
const open: Server[] = [];
beforeAll(async () => {
  pki = await testPki();
});
afterEach(async () => {
  for (const server of open.splice(0)) server.close();
  await there.close();
});

async function proxied(proxy: (dial: Dialer) => Server): Promise<{ port: number; echo: number }> {
  there = new Loopback(pki);
  const server = await there.server();
  await there.agent(server.ports.agents);
  await eventually(() => server.agents().length === 1);
  const listener = proxy(there.dialer(server));
  open.push(listener);
  await listening(listener, { host: '127.0.0.1', port: 0 });
  return { port: portOf(listener), echo: await there.target((socket) => void socket.pipe(socket)) };
}

const clientOf = (port: number): Socket => connect({ port, host: '127.0.0.1', allowHalfOpen: true });
const portBytes = (port: number) => [port >> 8, port & 255];

describe('socks5', () => {
  it.each([
    ['an address', [1, 127, 0, 0, 1]],
    ['a name', [3, 9, ...Buffer.from('localhost')]],
  ])('When %s is asked for, it should carry bytes through the tunnel', async (_what, address) => {
    const { port, echo } = await proxied(socks5Proxy);
    const socket = clientOf(port);
    socket.end(Buffer.concat([Buffer.of(5, 1, 0, 5, 1, 0, ...address, ...portBytes(echo)), Buffer.from('hello')]));
    const answer = await readAll(socket);
    expect([...answer.subarray(0, 4)]).toEqual([5, 0, 5, 0]);
    expect(answer.subarray(12).toString()).toBe('hello');
  });

  it.each([
    ['nothing listens there', [5, 1, 0, 5, 1, 0, 1, 127, 0, 0, 1, 0, 1], [5, 0, 5, 5]],
    ['a command other than CONNECT comes', [5, 1, 0, 5, 2, 0, 1, 127, 0, 0, 1, 0, 1], [5, 0, 5, 7]],
    ['only authentication is offered', [5, 1, 2], [5, 255]],
  ])('When %s, it should answer with the reason', async (_what, sent, expected) => {
    const { port } = await proxied(socks5Proxy);
    const socket = clientOf(port);
    socket.write(Buffer.from(sent));
    expect([...(await readAll(socket)).subarray(0, expected.length)]).toEqual(expected);
    socket.destroy();
  });
});

describe('the HTTP proxy', () => {
  it('When CONNECT is asked for, it should carry bytes through the tunnel', async () => {
    const { port, echo } = await proxied(httpProxy);
    const socket = clientOf(port);
    socket.write(`CONNECT 127.0.0.1:${echo} HTTP/1.1\r\nHost: x\r\n\r\n`);
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString();
    });
    await eventually(() => answer.includes('\r\n\r\n'));
    socket.write('hello');
    await eventually(() => answer.endsWith('hello'));
    socket.destroy();
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('When an absolute URL is asked for, it should bring the answer of the target', async () => {
    const { port } = await proxied(httpProxy);
    const target = createHttpServer((incoming, response) => response.end(`you asked for ${incoming.url}`));
    open.push(target);
    await listening(target, { host: '127.0.0.1', port: 0 });
    const answer = await new Promise<string>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path: `http://127.0.0.1:${portOf(target)}/a?b=c` }, (response) => {
        readAll(response).then((body) => resolve(body.toString()), reject);
      })
        .on('error', reject)
        .end();
    });
    expect(answer).toBe('you asked for /a?b=c');
  });
});
