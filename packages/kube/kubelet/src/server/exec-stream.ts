import type { IncomingMessage } from 'node:http';
import { PassThrough, type Duplex, type Readable } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ExecSession, RunningContainer } from '../runtime/container-runtime.ts';

const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;
/** Newest first; v5 adds the signal that one direction has ended. */
const protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
/** When more than this waits to be sent, the process has to wait too. */
const highWaterBytes = 1 << 20;

const acceptor = new WebSocketServer({
  noServer: true,
  maxPayload: 16 << 20,
  perMessageDeflate: false,
  handleProtocols: (offered) => protocols.find((protocol) => offered.has(protocol)) ?? false,
});

export interface ExecRequest {
  readonly running: RunningContainer;
  readonly query: URLSearchParams;
  readonly mode: 'exec' | 'attach';
  readonly signal: AbortSignal;
}

/** Takes over an exec or attach connection and runs it to its end. */
export function handleExec(request: IncomingMessage, socket: Duplex, head: Buffer, exec: ExecRequest): void {
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  if (request.headers.upgrade?.toLowerCase() !== 'websocket' || !protocols.some((name) => offered.includes(name))) {
    const body = `only WebSocket with ${protocols.join(' or ')} is spoken here\n`;
    socket.end(`HTTP/1.1 403 Forbidden\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`);
    return;
  }
  acceptor.handleUpgrade(request, socket, head, (ws) => {
    // Input may arrive before the process runs; it must not get lost.
    ws.pause();
    run(ws, exec)
      .catch((error: unknown) => finish(ws, failure((error as Error).message)))
      .finally(() => ws.close(1000));
  });
}

async function run(ws: WebSocket, { running, query, mode, signal }: ExecRequest): Promise<void> {
  const wants = (name: string) => query.get(name) === '1' || query.get(name) === 'true';
  const session =
    mode === 'exec'
      ? await start(running, query, wants('input'), wants('tty'))
      : attached(running, wants('input'), signal);
  const stop = () => session.kill();
  ws.once('close', stop);
  ws.once('error', stop);
  signal.addEventListener('abort', stop, { once: true });
  if (wants('input')) receive(ws, session);
  else ws.resume();
  const sent = [
    send(ws, session.stdout, channel.stdout),
    // A terminal has one output.
    send(ws, session.stderr, wants('tty') ? channel.stdout : channel.stderr),
  ];
  try {
    const { exitCode, message } = await session.exited;
    await Promise.all(sent);
    finish(ws, exitCode === 0 ? { metadata: {}, status: 'Success' } : exited(exitCode, message));
  } finally {
    signal.removeEventListener('abort', stop);
    ws.off('close', stop);
  }
}

async function start(
  running: RunningContainer,
  query: URLSearchParams,
  stdin: boolean,
  tty: boolean,
): Promise<ExecSession> {
  const command = query.getAll('command');
  if (!running.exec) throw new Error('this container cannot run commands');
  if (command.length === 0) throw new Error('you must specify at least one command for the container');
  return running.exec(command, { stdin, tty });
}

/** Attaching shows the container's output from now on, and gives it input when it has an open one. */
function attached(running: RunningContainer, wantsInput: boolean, closing: AbortSignal): ExecSession {
  const left = new AbortController();
  const stdout = new PassThrough();
  const copy = (async () => {
    for await (const chunk of running.log.read({ follow: true, tailLines: 0 }, AbortSignal.any([left.signal, closing])))
      if (!stdout.write(chunk)) await new Promise((resolve) => stdout.once('drain', resolve));
    stdout.end();
  })();
  const stderr = new PassThrough();
  stderr.end();
  return {
    stdin: wantsInput ? running.stdin : undefined,
    stdout,
    stderr,
    exited: copy.then(() => ({ exitCode: 0 })),
    kill: () => left.abort(),
  };
}

function receive(ws: WebSocket, session: ExecSession): void {
  ws.on('message', (data: Buffer, isBinary) => {
    const bytes = Buffer.isBuffer(data) ? data : Buffer.from(data as ArrayBuffer);
    if (!isBinary || bytes.length === 0) return;
    if (bytes[0] === channel.stdin && bytes.length > 1 && session.stdin?.writable) {
      if (session.stdin.write(bytes.subarray(1))) return;
      ws.pause();
      session.stdin.once('drain', () => ws.resume());
    } else if (bytes[0] === channel.close && bytes[1] === channel.stdin) session.stdin?.end();
  });
  ws.resume();
}

async function send(ws: WebSocket, output: Readable, to: number): Promise<void> {
  for await (const chunk of output) {
    if (ws.readyState !== ws.OPEN) return;
    ws.send(Buffer.concat([Buffer.from([to]), chunk as Buffer]));
    if (ws.bufferedAmount > highWaterBytes)
      await new Promise<void>((resolve) => {
        ws.send(Buffer.from([to]), () => resolve());
      });
  }
}

function finish(ws: WebSocket, status: object): void {
  if (ws.readyState === ws.OPEN)
    ws.send(Buffer.concat([Buffer.from([channel.error]), Buffer.from(JSON.stringify(status))]));
}

function exited(exitCode: number, message: string | undefined): object {
  return {
    metadata: {},
    status: 'Failure',
    reason: 'NonZeroExitCode',
    message: message ?? `command terminated with non-zero exit code: exit status ${exitCode}`,
    details: { causes: [{ reason: 'ExitCode', message: String(exitCode) }] },
  };
}

function failure(message: string): object {
  return { metadata: {}, status: 'Failure', reason: 'InternalError', code: 500, message };
}
