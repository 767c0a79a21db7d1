import { isIP } from 'node:net';
import type { ObjectKey, Status } from '@hypershift-ts/kube-apimachinery';
import { StatusError } from '@hypershift-ts/kube-apimachinery';
import { WebSocket } from 'ws';
import type { HttpClient } from '../http/http-client.ts';
import { objectPath } from '../http/resource-path.ts';
import { pods } from './pod-logs.ts';

export interface ExecOptions {
  readonly container?: string;
  /** What to run; absent attaches to what runs already. */
  readonly command?: readonly string[];
  readonly tty?: boolean;
  /** Sent to the process; its end closes the process's standard input. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
  readonly onStdout?: (data: Buffer) => void;
  readonly onStderr?: (data: Buffer) => void;
  /** Terminal sizes, the first at once. */
  readonly resize?: AsyncIterable<{ readonly width: number; readonly height: number }>;
  readonly signal?: AbortSignal;
}

export interface ExecResult {
  readonly exitCode: number;
  /** Why it is not 0, in the server's words. */
  readonly message?: string;
}

const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;
const protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const maxFrameBytes = 16 << 20;

/** Runs a command in a pod (or attaches to it) over a WebSocket and answers its exit code. */
export async function execInPod(client: HttpClient, pod: ObjectKey, options: ExecOptions = {}): Promise<ExecResult> {
  options.signal?.throwIfAborted();
  const socket = await openSocket(client, pod, options);
  return new Promise((resolve, reject) => {
    let status: Partial<Status> | undefined;
    const stop = () => {
      socket.terminate();
      reject(options.signal?.reason);
    };
    options.signal?.addEventListener('abort', stop, { once: true });
    socket.on('message', (data: Buffer) => {
      const rest = data.subarray(1);
      if (data[0] === channel.stdout) options.onStdout?.(rest);
      else if (data[0] === channel.stderr) options.onStderr?.(rest);
      else if (data[0] === channel.error && rest.length > 0) status = parseStatus(rest);
    });
    socket.on('error', (error) => reject(unavailable(error.message, error)));
    socket.on('close', () => {
      options.signal?.removeEventListener('abort', stop);
      if (status) settle(status, resolve, reject);
      else reject(unavailable('the connection ended without an exit status'));
    });
    socket.resume();
    if (options.stdin) send(socket, options.stdin, channel.stdin).catch(reject);
    if (options.resize) sendSizes(socket, options.resize).catch(reject);
  });
}

async function openSocket(client: HttpClient, pod: ObjectKey, options: ExecOptions): Promise<WebSocket> {
  const { credentials, prefix } = await client.requester.current();
  const query = new URLSearchParams();
  if (options.container) query.set('container', options.container);
  for (const word of options.command ?? []) query.append('command', word);
  query.set('stdin', String(options.stdin !== undefined));
  query.set('stdout', 'true');
  // A terminal has one output.
  query.set('stderr', String(!options.tty));
  query.set('tty', String(options.tty ?? false));
  const path = objectPath(pods, pod, options.command ? 'exec' : 'attach');
  const base = new URL(client.config.server);
  const host = base.hostname.replace(/^\[|\]$/g, '');
  const servername = client.config.tlsServerName ?? (isIP(host) ? undefined : host);
  const url = `${base.protocol === 'http:' ? 'ws' : 'wss'}://${base.host}${prefix}${path}?${query.toString()}`;
  const socket = new WebSocket(url, protocols, {
    headers: credentials.headers as Record<string, string>,
    rejectUnauthorized: !client.config.insecureSkipTlsVerify,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    ...(credentials.ca ? { ca: credentials.ca } : {}),
    ...(credentials.certificate ? { cert: credentials.certificate, key: credentials.key } : {}),
    ...(servername ? { servername } : {}),
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => {
      // Nothing may arrive before there is somebody to take it.
      socket.pause();
      resolve();
    });
    socket.once('error', (error) => reject(unavailable(error.message, error)));
    socket.once('unexpected-response', (_request, response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        if (text.length < 10_000) text += chunk.toString();
      });
      response.on('end', () => reject(refusal(response.statusCode ?? 500, text)));
    });
  });
  return socket;
}

async function send(socket: WebSocket, input: AsyncIterable<Uint8Array | string>, to: number): Promise<void> {
  for await (const piece of input) {
    if (socket.readyState !== WebSocket.OPEN) return;
    const data = Buffer.concat([Buffer.from([to]), Buffer.from(piece)]);
    // Waiting for the write keeps a fast producer from filling memory.
    await new Promise<void>((resolve) => {
      socket.send(data, () => resolve());
    });
  }
  // Only v5 can say that the input has ended.
  if (socket.protocol === protocols[0] && socket.readyState === WebSocket.OPEN) {
    socket.send(Buffer.from([channel.close, to]));
  }
}

async function sendSizes(
  socket: WebSocket,
  sizes: AsyncIterable<{ readonly width: number; readonly height: number }>,
): Promise<void> {
  for await (const { width, height } of sizes) {
    if (socket.readyState !== WebSocket.OPEN) return;
    const text = JSON.stringify({ Width: width, Height: height });
    socket.send(Buffer.concat([Buffer.from([channel.resize]), Buffer.from(text)]));
  }
}

function settle(status: Partial<Status>, resolve: (result: ExecResult) => void, reject: (error: Error) => void): void {
  if (status.status === 'Success') return resolve({ exitCode: 0 });
  const code = status.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message;
  if (code === undefined) return reject(StatusError.fromStatus(status));
  resolve({ exitCode: Number(code), ...(status.message ? { message: status.message } : {}) });
}

function parseStatus(data: Buffer): Partial<Status> {
  try {
    return JSON.parse(data.toString('utf8')) as Partial<Status>;
  } catch {
    return { status: 'Failure', message: data.toString('utf8') };
  }
}

function refusal(code: number, text: string): StatusError {
  try {
    const parsed = JSON.parse(text) as Partial<Status>;
    if (parsed?.kind === 'Status') return StatusError.fromStatus(parsed, code);
  } catch {
    // Described below.
  }
  return new StatusError(code, '', `the server refused the stream with ${code}: ${text.slice(0, 200)}`);
}

function unavailable(why: string, cause?: unknown): StatusError {
  return new StatusError(503, 'ServiceUnavailable', `exec: ${why}`, undefined, { cause });
}
