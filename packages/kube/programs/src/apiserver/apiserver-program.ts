import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readSmallFile } from '@hypershift-ts/kube-client';
import { delay, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import { type ApiServerProcess, runApiServer } from '@hypershift-ts/kube-apiserver';
import type { BuiltinContext, BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import { fingerprintOf, parseCertificates } from '@hypershift-ts/kube-pki';
import type { Store } from '@hypershift-ts/kube-store';
import type { LocalApiServer, ProcessDirectory } from '../directory.ts';
import { connectEtcd } from '../etcd/connect-etcd.ts';
import { programLog, stopped } from '../program-log.ts';
import { ProgramFlags } from '../program-flags.ts';
import { watchFiles } from '../watched-files.ts';
import { type ApiServerArguments, apiServerArguments } from './apiserver-args.ts';

/**
 * Longest time a stopping server goes on serving. The real one waits --shutdown-delay-duration for load balancers far
 * away; the Services of this process follow within milliseconds.
 */
const longestFarewellMs = 500;

/** `kube-apiserver` inside this process: the flags and files of its manifest, on the pod's address. */
export function apiServerProgram(directory: ProcessDirectory): BuiltinProgram {
  return async (context) => {
    const log = programLog(context);
    const say = (message: string, error?: unknown) =>
      error === undefined ? log.info({}, message) : log.error({ error }, message);
    const parsed = await apiServerArguments(context);
    for (const notice of parsed.notices) log.warn({}, notice);
    for (const arg of parsed.args)
      if (arg.startsWith('--audit-log-path=/'))
        await mkdir(dirname(arg.slice(arg.indexOf('=') + 1)), { recursive: true });
    const store = await storeFor(context, directory, parsed, (message) => log.info({}, message));
    const running = await runApiServer(parsed.args, say, {
      clock: context.clock,
      egress: { path: context.path, resolve: context.resolveService },
      ...(store ? { store } : {}),
    });
    // Its files vanish with its pod, so even this may fail once the server runs.
    const end = await publish(running, directory, parsed, context, (message) => log.warn({}, message)).catch(
      async (error: unknown) => {
        await running.stop();
        throw error;
      },
    );
    try {
      context.answerProbes(running.port, (path) => running.server.probe(path));
      context.probeNow();
      log.info({ address: running.address, port: running.port }, 'builtin kube-apiserver serves');
      await stopped(context.signal);
      await farewell(context, parsed);
    } finally {
      end();
      await running.stop();
    }
  };
}

async function storeFor(
  context: BuiltinContext,
  directory: ProcessDirectory,
  { etcdServers, etcdFiles }: ApiServerArguments,
  log: (message: string) => void,
): Promise<Store | undefined> {
  if (etcdServers.length === 0) return undefined;
  const { ca, certificate, key } = etcdFiles;
  const isSecure = etcdServers.some((url) => url.startsWith('https:'));
  if (isSecure && !(ca && certificate && key))
    throw new Error('--etcd-servers with https needs --etcd-cafile, --etcd-certfile and --etcd-keyfile');
  const read = (file: string | undefined) => readSmallFile(file as string);
  const tls = isSecure ? { ca: await read(ca), cert: await read(certificate), key: await read(key) } : undefined;
  return connectEtcd(context, directory, { endpoints: etcdServers, tls }, log);
}

/** Lets parts of this process find the server, and follows its files. */
async function publish(
  running: ApiServerProcess,
  directory: ProcessDirectory,
  parsed: ApiServerArguments,
  { clock }: BuiltinContext,
  warn: (message: string) => void,
): Promise<() => void> {
  const closing = new AbortController();
  const current = await credentialsOf(parsed);
  const entry: LocalApiServer = { server: running.server, ...current, closed: closing.signal };
  const remove = directory.addApiServer(entry);
  let seen = current;
  const reload = async (): Promise<void> => {
    const next = await credentialsOf(parsed);
    if (jsonEqual(next, seen)) return;
    await running.reload();
    seen = next;
    entry.clientCa = next.clientCa;
    directory.renewApiServer(entry, next.fingerprints);
  };
  const files = watchFiles(
    parsed.reloaded,
    clock,
    () => void reload().catch((error: Error) => warn(`certificates not reloaded: ${error.message}`)),
    () => {},
  );
  return () => {
    files.close();
    closing.abort();
    remove();
  };
}

async function credentialsOf({ servingCertificates, clientCa }: ApiServerArguments) {
  const fingerprints: string[] = [];
  for (const file of servingCertificates) {
    const [leaf] = parseCertificates(await readSmallFile(file));
    if (!leaf) throw new Error(`${file} holds no certificate`);
    fingerprints.push(fingerprintOf(leaf));
  }
  return { fingerprints, clientCa: clientCa ? await readSmallFile(clientCa) : undefined };
}

/** Requests that are under way, and those sent before everybody knows, are still answered. */
async function farewell({ clock }: BuiltinContext, { args }: ApiServerArguments): Promise<void> {
  const wanted = new ProgramFlags(args).milliseconds('shutdown-delay-duration') ?? 0;
  if (wanted > 0) await delay(clock, Math.min(wanted, longestFarewellMs));
}
