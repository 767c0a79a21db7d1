import { request as httpsRequest } from 'node:https';
import { statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { RequestInfo } from '../request/request-info.ts';
import { type ConnectOptions, kubeletConnection } from './connect.ts';
import { nodeEndpointOf } from './node-endpoint.ts';

/** A log that is handed over as one text must fit into memory; whoever wants more follows it over HTTPS. */
const longestLog = 16 * 1024 * 1024;

/** The log of a container as far as its kubelet has it, for clients inside this process. Never follows. */
export async function readLog(
  options: ConnectOptions,
  info: RequestInfo,
  query: URLSearchParams,
  signal: AbortSignal | undefined,
): Promise<string> {
  const once = new URLSearchParams(query);
  once.delete('follow');
  const { host, port, path } = await nodeEndpointOf(options.lookup, info, once);
  const unreachable = (error: Error) =>
    statusErrors.internal(`the kubelet at ${host}:${port} cannot be reached: ${error.message}`);
  const socket = await kubeletConnection(options, { host, port }, signal).catch((error: Error) => {
    throw unreachable(error);
  });
  return new Promise<string>((resolve, reject) => {
    const fail = (error: Error) => {
      socket.destroy();
      reject(unreachable(error));
    };
    const upstream = httpsRequest(
      { host, port, path, createConnection: () => socket, ...(signal ? { signal } : {}) },
      (answer) => {
        const chunks: Buffer[] = [];
        let size = 0;
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > longestLog) fail(new Error(`the log is longer than ${longestLog} bytes; ask for its tail`));
          else chunks.push(chunk);
        });
        answer.on('error', fail);
        answer.on('end', () => {
          socket.destroy();
          const text = Buffer.concat(chunks).toString('utf8');
          if (answer.statusCode === 200) resolve(text);
          else reject(statusErrors.badRequest(text.trim() || `the kubelet answered ${answer.statusCode}`));
        });
      },
    );
    upstream.on('error', fail);
    upstream.end();
  });
}
