import { randomUUID } from 'node:crypto';
import { readSmallFile } from '@hypershift-ts/kube-client';
import type { BuiltinContext, BuiltinProgram } from '@hypershift-ts/kube-kubelet';
import type { ProcessDirectory } from '../directory.ts';
import { type Answer, type Endpoint, type EndpointOptions, openEndpoint } from '../https-endpoint.ts';
import { ProgramFlags } from '../program-flags.ts';
import { programLog, stopped } from '../program-log.ts';
import { watchFiles } from '../watched-files.ts';
import { EtcdCluster, type RunningMember } from './etcd-cluster.ts';

/** Names the member of this process that answered; only somebody who reached it over its port learns it. */
export const memberHeader = 'x-hypershift-ts-etcd-member';

/** `etcd` as a store inside this process, with etcd's command line, health endpoints and rules of access. */
export function etcdProgram(directory: ProcessDirectory): BuiltinProgram {
  return async (context) => {
    const flags = flagsOf(context);
    const log = programLog(context);
    const name = flags.text('name') ?? context.pod.metadata.name ?? 'default';
    const initial = flags.list('initial-cluster');
    const { namespace = '' } = context.pod.metadata;
    const dataDir = flags.text('data-dir');
    const member: RunningMember = {
      name,
      dataDir: dataDir ? context.path(dataDir) : undefined,
      log: (message) => log.info({ member: name }, message),
    };
    const key = [
      namespace,
      flags.text('initial-cluster-token') ?? 'etcd-cluster',
      initial.toSorted().join() || name,
    ].join('|');
    const makeCluster = () =>
      new EtcdCluster({
        size: Math.max(1, initial.length),
        clock: context.clock,
        onEmpty: () => directory.forgetCluster(key),
      });
    const cluster = directory.clusterFor(key, makeCluster);
    const id = randomUUID();
    const endings: (() => void | Promise<void>)[] = [];
    try {
      await cluster.join(member);
      endings.push(() => cluster.leave(member), directory.addMember(id, { cluster }));
      const answer = (path: string) => answerOf(path, cluster, id);
      endings.push(...(await openPorts(context, flags, answer, (message) => log.warn({}, message))));
      for (const other of namesOf(flags, context)) endings.push(directory.addName(other, context.podIP));
      log.info({ member: name, cluster: key }, 'builtin etcd serves (a store of this process, no gRPC)');
      await stopped(context.signal);
      log.info({}, 'stopping');
    } finally {
      for (const end of endings.toReversed()) await end();
    }
  };
}

/** Values of the environment first, as etcd reads them: ETCD_DATA_DIR is --data-dir. */
function flagsOf(context: BuiltinContext): ProgramFlags {
  const fromEnv = Object.entries(context.env)
    .filter(([name, value]) => /^ETCD_[A-Z]/.test(name) && value !== '')
    .map(([name, value]) => `--${name.slice('ETCD_'.length).toLowerCase().replaceAll('_', '-')}=${value}`);
  const words = [...(context.command ?? []).slice(1), ...context.args];
  return new ProgramFlags([...fromEnv, ...words], booleans);
}

const booleans = new Set(['client-cert-auth', 'peer-client-cert-auth', 'pre-vote', 'auto-tls', 'peer-auto-tls']);

/** The names clients would find this member by: its advertised one, and the Service that name belongs to. */
function namesOf(flags: ProgramFlags, { pod }: BuiltinContext): string[] {
  const names = new Set<string>();
  for (const url of flags.list('advertise-client-urls')) {
    if (!URL.canParse(url)) continue;
    const { hostname } = new URL(url);
    names.add(hostname);
    if (hostname.startsWith(`${pod.metadata.name}.`)) names.add(hostname.slice((pod.metadata.name ?? '').length + 1));
  }
  return [...names].filter((name) => /[a-z]/i.test(name));
}

function answerOf(path: string, cluster: EtcdCluster, id: string): Answer | undefined {
  const headers = { [memberHeader]: id };
  const problem = cluster.problem();
  switch (path) {
    case '/health':
    case '/healthz':
      return {
        status: problem ? 503 : 200,
        body: JSON.stringify({ health: problem ? 'false' : 'true', reason: problem ?? '' }),
        headers: { ...headers, 'content-type': 'application/json' },
      };
    case '/readyz':
      return {
        status: problem ? 503 : 200,
        body: problem ? `[-]linearizable_read failed: ${problem}\n` : 'ok',
        headers,
      };
    case '/livez':
      return { status: 200, body: 'ok', headers };
    case '/version':
      return { status: 200, body: JSON.stringify({ etcdserver: '3.6.0', etcdcluster: '3.6.0' }), headers };
    case '/metrics':
      return { status: 200, body: metricsOf(cluster), headers };
    default:
      return undefined;
  }
}

function metricsOf(cluster: EtcdCluster): string {
  const size = cluster.opened?.size() ?? 0;
  return [
    '# HELP etcd_server_has_leader Whether or not a leader exists. 1 is existence, 0 is not.',
    '# TYPE etcd_server_has_leader gauge',
    `etcd_server_has_leader ${cluster.problem() ? 0 : 1}`,
    '# HELP etcd_mvcc_db_total_size_in_use_in_bytes Total size of the underlying database logically in use in bytes.',
    '# TYPE etcd_mvcc_db_total_size_in_use_in_bytes gauge',
    `etcd_mvcc_db_total_size_in_use_in_bytes ${size}`,
    '',
  ].join('\n');
}

/** Opens the client and metrics addresses; 0.0.0.0 is the pod's own address here. */
async function openPorts(
  context: BuiltinContext,
  flags: ProgramFlags,
  answer: EndpointOptions['answer'],
  warn: (message: string) => void,
): Promise<(() => void | Promise<void>)[]> {
  const client = flags.list('listen-client-urls');
  const metrics = flags.list('listen-metrics-urls');
  const file = (name: string) => (flags.text(name) ? context.path(flags.text(name) as string) : undefined);
  const certificate = file('cert-file');
  const key = file('key-file');
  const ca = file('trusted-ca-file');
  const readTls = async () =>
    certificate && key
      ? {
          certificate: await readSmallFile(certificate),
          key: await readSmallFile(key),
          ...(ca ? { clientCa: await readSmallFile(ca) } : {}),
        }
      : undefined;
  const opened = new Map<string, Endpoint>();
  const closeAll = async () => {
    for (const endpoint of opened.values()) await endpoint.close();
  };
  try {
    const tls = await readTls();
    for (const [urls, isClient] of [
      [client.length > 0 ? client : ['http://0.0.0.0:2379'], true],
      [metrics, false],
    ] as const)
      for (const text of urls) {
        const { protocol, hostname, port } = parseUrl(text);
        if (protocol === 'https:' && !tls) throw new Error(`${text} needs --cert-file and --key-file`);
        const any = ['0.0.0.0', '[::]', '::', 'localhost', '127.0.0.1'].includes(hostname);
        const address = any ? context.podIP : hostname;
        const number = port === '' ? 2379 : Number(port);
        if (opened.has(`${address}:${number}`)) continue;
        const secured = protocol === 'https:' && tls ? { tls } : {};
        const requireClientCertificate = isClient && ca !== undefined && flags.boolean('client-cert-auth');
        opened.set(
          `${address}:${number}`,
          await openEndpoint({ address, port: number, ...secured, requireClientCertificate, program: context, answer }),
        );
      }
  } catch (error) {
    await closeAll();
    throw error;
  }
  const files = [certificate, key, ca].filter((one) => one !== undefined);
  const reload = async () => {
    const tls = await readTls();
    if (tls) for (const endpoint of opened.values()) endpoint.reload(tls);
  };
  const watching = watchFiles(
    files,
    context.clock,
    () => void reload().catch((error: Error) => warn(`certificates not reloaded: ${error.message}`)),
    () => {},
  );
  return [closeAll, () => watching.close()];
}

function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new Error(`${JSON.stringify(text)} is not a URL like https://0.0.0.0:2379`);
  return new URL(text);
}
