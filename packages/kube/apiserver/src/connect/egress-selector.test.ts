import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { clusterEgress } from './egress-selector.ts';

const selector = (connection: object) =>
  JSON.stringify({
    apiVersion: 'apiserver.k8s.io/v1beta1',
    kind: 'EgressSelectorConfiguration',
    egressSelections: [{ name: 'cluster', connection }],
  });
const through = (url: string) => selector({ proxyProtocol: 'HTTPConnect', transport: { tcp: { url } } });

let proxy: Server | undefined;
afterEach(() => proxy?.close());

/** A proxy that answers everything with the same bytes; resolves with its URL. */
async function proxyThatSays(answer: string, asked: string[] = []): Promise<string> {
  proxy = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (data) => {
      asked.push(data.toString().split('\r\n')[0] ?? '');
      socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => proxy?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(proxy.address() as { port: number }).port}`;
}

describe('clusterEgress', () => {
  it('When nodes are reached directly, it should want no proxy', () => {
    expect(clusterEgress(selector({ proxyProtocol: 'Direct' }))).toBeUndefined();
  });

  it.each([
    ['kind: Pod\n', 'not EgressSelectorConfiguration'],
    [selector({ proxyProtocol: 'GRPC' }), 'GRPC is not supported; use HTTPConnect'],
    [selector({ proxyProtocol: 'HTTPConnect' }), 'needs transport.tcp.url'],
  ])('When the configuration is %s, it should say what is wrong with it', (text, message) => {
    expect(() => clusterEgress(text)).toThrow(message);
  });

  it('When the proxy accepts, it should hand over everything behind the answer', async () => {
    const asked: string[] = [];
    const egress = clusterEgress(
      through(await proxyThatSays('HTTP/1.1 200 Connection established\r\n\r\nhello', asked)),
    );
    const stream = await egress?.('fd00::1', 10250);
    const received = await new Promise<string>((resolve) => stream?.once('data', (data) => resolve(String(data))));
    stream?.destroy();
    expect([asked, received]).toEqual([['CONNECT [fd00::1]:10250 HTTP/1.1'], 'hello']);
  });

  it('When the proxy refuses, it should pass its reason on', async () => {
    const egress = clusterEgress(through(await proxyThatSays('HTTP/1.1 503 Busy\r\n\r\nno agent available\n')));
    await expect(egress?.('10.0.0.1', 10250)).rejects.toThrow('10.0.0.1:10250: 503 Busy no agent available');
  });
});
