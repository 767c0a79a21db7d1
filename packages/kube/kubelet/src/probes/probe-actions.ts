import { request as httpRequest } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { createSecureContext, type SecureContext } from 'node:tls';
import { connect } from 'node:net';
import type { Clock, corev1 } from '@hypershift-ts/kube-apimachinery';
import { sharedDelayHeap } from '@hypershift-ts/kube-controller';
import type { RunningContainer } from '../runtime/container-runtime.ts';
import { collectExec } from '../runtime/host-commands.ts';
import { grpcHealth } from './grpc-health.ts';

export interface ProbeResult {
  readonly ok: boolean;
  readonly message: string;
}

/** What a probe or hook is aimed at. */
export interface ProbeTarget {
  readonly container: corev1.Container;
  readonly podIP: string;
  readonly running: RunningContainer;
  readonly clock: Clock;
}

type Action = Pick<corev1.Probe, 'exec' | 'httpGet' | 'tcpSocket' | 'grpc'>;

/** Runs a probe's action once. Never rejects: whatever goes wrong is a failed probe. */
export async function runAction(action: Action, target: ProbeTarget, timeoutMs: number): Promise<ProbeResult> {
  const limit = new AbortController();
  const timer = sharedDelayHeap(target.clock).after(timeoutMs, () => limit.abort());
  try {
    if (action.exec) return await execAction(action.exec, target, limit.signal, timeoutMs);
    if (action.httpGet)
      return await (askedDirectly(action.httpGet, target, limit.signal) ??
        httpAction(action.httpGet, target, limit.signal));
    if (action.tcpSocket) {
      const { host, port } = action.tcpSocket;
      return await tcpAction(hostOf(host, target.podIP), portOf(port, target.container), limit.signal);
    }
    if (action.grpc) return await grpcHealth(target.podIP, action.grpc.port, action.grpc.service ?? '', limit.signal);
    return { ok: true, message: '' };
  } catch (error) {
    return { ok: false, message: (error as Error).message };
  } finally {
    sharedDelayHeap(target.clock).cancel(timer);
  }
}

async function execAction(
  { command = [] }: corev1.ExecAction,
  { running }: ProbeTarget,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<ProbeResult> {
  if (!running.exec) return { ok: false, message: 'this container cannot run commands' };
  const session = await running.exec(command, {});
  let isLate = false;
  signal.addEventListener(
    'abort',
    () => {
      isLate = true;
      session.kill();
    },
    { once: true },
  );
  const { exitCode, output } = await collectExec(session);
  if (isLate)
    return { ok: false, message: `command timed out: "${command.join(' ')}" timed out after ${timeoutMs / 1000}s` };
  return { ok: exitCode === 0, message: output.trim() };
}

/** Asks a program of this process without a socket, when it answers for that port. */
function askedDirectly(
  { host, port, path }: corev1.HTTPGetAction,
  { running, container, podIP }: ProbeTarget,
  signal: AbortSignal,
): Promise<ProbeResult> | undefined {
  if (!running.probing || hostOf(host, podIP) !== podIP) return undefined;
  const answer = running.probing.answer(portOf(port, container), absolute(path));
  if (!answer) return undefined;
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('context deadline exceeded')), { once: true });
    answer.then((code) => resolve(httpResult(code)), reject);
  });
}

/** Manifests leave the first slash out as often as not. */
function absolute(path = ''): string {
  return path.startsWith('/') ? path : `/${path}`;
}

function httpResult(code: number): ProbeResult {
  return { ok: code >= 200 && code < 400, message: `HTTP probe failed with statuscode: ${code}` };
}

/** Probes trust anybody and are nobody, so one context serves all of them. */
let probeContext: SecureContext | undefined;
const probeAgent = new Agent({ keepAlive: false, maxCachedSessions: 0, rejectUnauthorized: false });

/**
 * No connection outlives its probe, but TLS sessions do: the next probe resumes one and saves both sides the keys.
 * They go with their container; the agent's own memory would keep them for addresses that nobody has any more.
 */
const sessions = new WeakMap<RunningContainer, Buffer>();

function contextOfProbes(): SecureContext {
  probeContext ??= createSecureContext();
  return probeContext;
}

/** GETs a URL of the container; any status from 200 to 399 is well, and its certificate may be anybody's. */
function httpAction(
  action: corev1.HTTPGetAction,
  { container, podIP, running }: ProbeTarget,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const isHttps = action.scheme?.toUpperCase() === 'HTTPS';
  const host = hostOf(action.host, podIP);
  const port = portOf(action.port, container);
  const path = absolute(action.path);
  const url = `${isHttps ? 'https' : 'http'}://${host}:${port}${path}`;
  const headers: Record<string, string> = { 'user-agent': 'kube-probe/1.37', accept: '*/*', connection: 'close' };
  for (const { name, value } of action.httpHeaders ?? []) headers[name.toLowerCase()] = value;
  return new Promise((resolve) => {
    const options = { host, port, path, headers, signal };
    const secureContext = isHttps ? contextOfProbes() : undefined;
    const overTls = { ...options, agent: probeAgent, session: sessions.get(running), secureContext };
    const request = isHttps ? httpsRequest(overTls) : httpRequest({ ...options, agent: false });
    if (isHttps)
      request.once('socket', (socket) => socket.on('session', (session: Buffer) => sessions.set(running, session)));
    request.on('response', (response) => {
      const code = response.statusCode ?? 0;
      // The body is of no interest; the connection ends here.
      response.destroy();
      resolve(httpResult(code));
    });
    request.on('error', (error) => {
      const reason = signal.aborted
        ? 'context deadline exceeded (timeout exceeded while awaiting headers)'
        : error.message;
      resolve({ ok: false, message: `Get "${url}": ${reason}` });
    });
    request.end();
  });
}

/** Nodes share this machine's loopback: what a pod on the host network calls localhost is its node. */
function hostOf(host: string | undefined, podIP: string): string {
  return !host || host === '127.0.0.1' || host === 'localhost' ? podIP : host;
}

function tcpAction(host: string, port: number, signal: AbortSignal): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const settle = (result: ProbeResult) => {
      signal.removeEventListener('abort', giveUp);
      socket.destroy();
      resolve(result);
    };
    const giveUp = () => settle({ ok: false, message: `dial tcp ${host}:${port}: i/o timeout` });
    signal.addEventListener('abort', giveUp, { once: true });
    socket.on('connect', () => settle({ ok: true, message: '' }));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'ECONNREFUSED' ? 'connect: connection refused' : error.message;
      settle({ ok: false, message: `dial tcp ${host}:${port}: ${reason}` });
    });
  });
}

/** A port by number or by the name the container gives it. */
export function portOf(port: number | string, container: corev1.Container): number {
  if (typeof port === 'number') return port;
  const named = container.ports?.find(({ name }) => name === port)?.containerPort;
  const number = named ?? Number(port);
  if (!Number.isInteger(number) || number < 1 || number > 65535)
    throw new Error(`couldn't find port "${port}" in container ${container.name}`);
  return number;
}
