import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { HttpClient } from '../http/http-client.ts';
import { testCertificate, testKey } from '../testing/test-certificate.ts';
import { TestServer } from '../testing/test-server.ts';
import { execInPod } from './pod-exec.ts';
import { streamLogs } from './pod-logs.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function execServer(status: object, accept = true) {
  const seen: { url?: string; input: string } = { input: '' };
  const server = https.createServer({ cert: testCertificate, key: testKey });
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'v5.channel.k8s.io' });
  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    seen.url = request.url ?? '';
    if (!accept) {
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 4\r\n\r\nnope');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (web) => {
      web.send(Buffer.from('\u0001out'));
      web.send(Buffer.from('\u0002err'));
      web.on('message', (data: Buffer) => {
        if (data[0] === 0) seen.input += data.subarray(1).toString();
        if (data[0] !== 255) return;
        web.send(Buffer.concat([Buffer.from([3]), Buffer.from(JSON.stringify(status))]));
        web.close();
      });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  cleanups.push(
    () => server.close(),
    () => sockets.close(),
  );
  const port = (server.address() as AddressInfo).port;
  const client = new HttpClient({
    server: `https://127.0.0.1:${port}`,
    certificateAuthority: { pem: testCertificate },
  });
  return { client, seen };
}

async function* input(): AsyncGenerator<string> {
  yield 'hello ';
  yield 'world';
}

const pod = { namespace: 'ns', name: 'web' };

describe('execInPod', () => {
  it('When the command ends, it should hand over its output and its exit code', async () => {
    const causes = [{ reason: 'ExitCode', message: '3' }];
    const { client, seen } = await execServer({ status: 'Failure', message: 'exit code 3', details: { causes } });
    let output = '';
    const result = await execInPod(client, pod, {
      container: 'main',
      command: ['sh', '-c', 'a b'],
      stdin: input(),
      onStdout: (data) => {
        output += `1:${data.toString()} `;
      },
      onStderr: (data) => {
        output += `2:${data.toString()} `;
      },
    });
    expect(result).toEqual({ exitCode: 3, message: 'exit code 3' });
    expect(output).toBe('1:out 2:err ');
    expect(seen.input).toBe('hello world');
    expect(seen.url).toBe(
      '/api/v1/namespaces/ns/pods/web/exec?container=main&command=sh&command=-c&command=a+b&stdin=true&stdout=true&stderr=true&tty=false',
    );
  });

  it('When the server refuses, it should say with what', async () => {
    const { client } = await execServer({}, false);
    await expect(execInPod(client, pod, { command: ['ls'] })).rejects.toMatchObject({ code: 403 });
  });

  it('When told to stop, it should hang up', async () => {
    const { client } = await execServer({});
    const stopper = new AbortController();
    const running = execInPod(client, pod, {
      command: ['sleep'],
      signal: stopper.signal,
      onStdout: () => stopper.abort(),
    });
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('streamLogs', () => {
  it('When a log is followed, it should deliver pieces as they come and end when told to', async () => {
    const server = await new TestServer('h2', (request, response) => {
      expect(request.url).toBe('/api/v1/namespaces/ns/pods/web/log?container=main&follow=true&tailLines=5');
      response.write('line 1\n');
    }).start();
    const client = new HttpClient(server.config);
    cleanups.push(
      () => server.stop(),
      () => client.close(),
    );
    const stopper = new AbortController();
    let text = '';
    for await (const piece of streamLogs(client, pod, {
      container: 'main',
      follow: true,
      tailLines: 5,
      signal: stopper.signal,
    })) {
      text += piece.toString();
      stopper.abort();
    }
    expect(text).toBe('line 1\n');
  });
});
