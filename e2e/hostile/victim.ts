import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { clusterConfigFrom, parseKubeconfig } from '@hypershift-ts/kube-client';
import { freePort, HypershiftProcess, readText } from '../harness/process.ts';

export interface Answer {
  readonly code: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
  /** Of a Status body. */
  readonly reason: string;
  readonly message: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
}

/** An API server in a process of its own, so that its event loop can be watched from outside. */
export class Victim {
  readonly port: number;
  private readonly agent = new Agent({ keepAlive: true });
  private readonly process: HypershiftProcess;
  private readonly dir: string;
  private readonly tls: { readonly ca: string; readonly cert: string; readonly key: string };

  private constructor(
    process: HypershiftProcess,
    dir: string,
    port: number,
    tls: { readonly ca: string; readonly cert: string; readonly key: string },
  ) {
    this.process = process;
    this.dir = dir;
    this.port = port;
    this.tls = tls;
  }

  static async start(): Promise<Victim> {
    const dir = await mkdtemp(join(tmpdir(), 'hostile-'));
    const port = await freePort();
    const child = new HypershiftProcess(['kube', '--foreground', '--data-dir', dir, '--secure-port', String(port)]);
    await child.printed('Kubernetes is ready');
    const config = clusterConfigFrom(parseKubeconfig(await readText(join(dir, 'kubeconfig')), 'test', dir));
    return new Victim(child, dir, port, {
      ca: await pemOf(config.certificateAuthority),
      cert: await pemOf(config.clientCertificate?.certificate),
      key: await pemOf(config.clientCertificate?.key),
    });
  }

  async stop(): Promise<void> {
    this.agent.destroy();
    await this.process.kill('SIGKILL');
    await rm(this.dir, { recursive: true, force: true });
  }

  get isAlive(): boolean {
    return this.process.child.exitCode === null && this.process.child.signalCode === null;
  }

  /** What the server said about faults of its own. */
  get faults(): readonly string[] {
    return this.process.output.split('\n').filter((line) => line.includes('failed inside the server'));
  }

  get tlsOptions() {
    return { host: '127.0.0.1', port: this.port, ...this.tls };
  }

  /** Sends once more when a kept connection turned out to be closed by an earlier refusal. */
  async send(request: RawRequest): Promise<Answer> {
    try {
      return await this.sendOnce(request);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ECONNRESET') throw error;
      return this.sendOnce(request);
    }
  }

  private sendOnce({ method = 'GET', path, headers = {}, body }: RawRequest): Promise<Answer> {
    // Node would send the body of an OPTIONS or DELETE without saying where it ends.
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { ...this.tlsOptions, method, path, headers: { ...length, ...headers }, agent: this.agent };
    return new Promise((resolve, reject) => {
      const request = httpsRequest({ ...options, timeout: 20_000 });
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve(answerOf(response.statusCode ?? 0, response.headers, Buffer.concat(chunks).toString())),
        );
      });
      request.on('timeout', () => request.destroy(new Error(`${method} ${path.slice(0, 80)} was not answered`)));
      request.on('error', reject);
      request.end(body);
    });
  }

  json(method: string, path: string, body: unknown, type = 'application/json'): Promise<Answer> {
    return this.send({ method, path, headers: { 'content-type': type }, body: JSON.stringify(body) });
  }

  /** A TLS connection that speaks HTTP/1.1 or whatever the test writes into it. */
  socket(protocol = 'http/1.1'): Promise<TLSSocket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ ...this.tlsOptions, ALPNProtocols: [protocol] }, () => resolve(socket));
      socket.once('error', reject);
    });
  }

  /** Runs the attack while somebody else asks for /livez; resolves to the longest that one had to wait, in ms. */
  async worstWaitDuring(attack: () => Promise<unknown>): Promise<number> {
    let worst = 0;
    const state = { over: false };
    const probe = async (): Promise<void> => {
      while (!state.over) {
        const begun = performance.now();
        const { code } = await this.send({ path: '/livez' });
        if (code !== 200) throw new Error(`/livez answered ${code}`);
        worst = Math.max(worst, performance.now() - begun);
      }
    };
    const probing = probe();
    try {
      await attack();
    } finally {
      state.over = true;
      await probing;
    }
    return worst;
  }
}

function pemOf(source: { readonly pem: string } | { readonly file: string } | undefined): Promise<string> {
  if (source === undefined) throw new Error('the kubeconfig has no client certificate');
  return 'pem' in source ? Promise.resolve(source.pem) : readText(source.file);
}

function answerOf(code: number, headers: Answer['headers'], text: string): Answer {
  let status: { kind?: string; reason?: string; message?: string } = {};
  try {
    status = JSON.parse(text) as typeof status;
  } catch {
    // Health, metrics and Go's own 404 are plain text.
  }
  const isStatus = status?.kind === 'Status';
  return {
    code,
    headers,
    text,
    reason: isStatus ? (status.reason ?? '') : '',
    message: isStatus ? (status.message ?? '') : '',
  };
}
