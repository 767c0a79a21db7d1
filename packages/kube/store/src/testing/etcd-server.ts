import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EtcdTls } from '../etcd/connection.ts';

/** Why no real etcd can be run here, or undefined when it can. Tries once to install Debian's package. */
export function etcdUnavailable(): string | undefined {
  if (isOnPath('etcd') && isOnPath('etcdctl')) return isOnPath('openssl') ? undefined : 'openssl is not on PATH';
  if (!isOnPath('apt-get') || process.getuid?.() !== 0)
    return 'etcd is not on PATH, and cannot be installed by this user';
  try {
    // RUNLEVEL=1 keeps the package from starting its service.
    const env = { ...process.env, RUNLEVEL: '1', DEBIAN_FRONTEND: 'noninteractive' };
    const install = ['install', '-y', '--no-install-recommends', 'etcd-server', 'etcd-client', 'openssl'];
    execFileSync('apt-get', install, { env, timeout: 60_000, stdio: 'ignore' });
  } catch (error) {
    return `etcd is not on PATH, and apt-get could not install it: ${(error as Error).message.split('\n')[0]}`;
  }
  return isOnPath('etcd') ? undefined : 'apt-get installed no etcd';
}

function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((directory) => {
    try {
      readFileSync(join(directory, program), { flag: 'r' });
      return true;
    } catch {
      return false;
    }
  });
}

/** A directory with a CA and one certificate for servers and clients on loopback. */
export class EtcdTestBed {
  readonly directory = mkdtempSync(join(tmpdir(), 'store-etcd-'));
  readonly tls: EtcdTls;
  readonly #clusters: EtcdCluster[] = [];

  constructor(names = 'IP:127.0.0.1,DNS:localhost') {
    const at = (name: string) => join(this.directory, name);
    const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
    const key = (name: string) => openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', at(name));
    key('ca.key');
    openssl('req', '-x509', '-new', '-key', at('ca.key'), '-subj', '/CN=test-ca', '-days', '2', '-out', at('ca.crt'));
    key('etcd.key');
    openssl('req', '-new', '-key', at('etcd.key'), '-subj', '/CN=etcd', '-out', at('etcd.csr'));
    writeFileSync(at('extensions'), `subjectAltName=${names}\nextendedKeyUsage=serverAuth,clientAuth\n`);
    const sign = [
      'x509',
      '-req',
      '-in',
      at('etcd.csr'),
      '-CA',
      at('ca.crt'),
      '-CAkey',
      at('ca.key'),
      '-CAcreateserial',
    ];
    openssl(...sign, '-days', '2', '-extfile', at('extensions'), '-out', at('etcd.crt'));
    this.tls = {
      ca: readFileSync(at('ca.crt')),
      cert: readFileSync(at('etcd.crt')),
      key: readFileSync(at('etcd.key')),
    };
  }

  /** Starts members of one new cluster, or one member on restored data. */
  async start(size = 1, dataDirectory?: string): Promise<EtcdCluster> {
    const ports = await freePorts(2 * size);
    const members = Array.from({ length: size }, (_, i) => ({
      name: `m${i}`,
      client: `https://127.0.0.1:${ports[2 * i]}`,
      peer: `http://127.0.0.1:${ports[2 * i + 1]}`,
      data: dataDirectory ?? mkdtempSync(join(this.directory, 'data-')),
    }));
    const initialCluster = members.map(({ name, peer }) => `${name}=${peer}`).join(',');
    const cluster = new EtcdCluster(members.map((member) => ({ ...member, args: this.#args(member, initialCluster) })));
    this.#clusters.push(cluster);
    for (const [i] of members.entries()) cluster.startMember(i);
    return cluster;
  }

  /** Turns a snapshot into a data directory, with etcd's own tool. */
  restore(snapshot: Uint8Array): string {
    const file = join(this.directory, `snapshot-${this.#clusters.length}.db`);
    const data = join(this.directory, `restored-${this.#clusters.length}`);
    writeFileSync(file, snapshot);
    const env = { ...process.env, ETCDCTL_API: '3' };
    // The peer address only has to agree with itself: a restored member starts a cluster of its own.
    const peer = 'http://127.0.0.1:1';
    const membership = ['--name', 'm0', '--initial-cluster', `m0=${peer}`, '--initial-advertise-peer-urls', peer];
    execFileSync('etcdctl', ['snapshot', 'restore', file, '--data-dir', data, ...membership], { env, stdio: 'ignore' });
    return data;
  }

  /** Deletes all keys at once; the store under test could only do it one by one. */
  clear(cluster: EtcdCluster): void {
    const at = (file: string) => join(this.directory, file);
    const tls = ['--cacert', at('ca.crt'), '--cert', at('etcd.crt'), '--key', at('etcd.key')];
    const env = { ...process.env, ETCDCTL_API: '3' };
    const args = ['--endpoints', cluster.endpoints.join(','), ...tls, 'del', '', '--from-key'];
    execFileSync('etcdctl', args, { env, stdio: 'ignore' });
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#clusters.map((cluster) => cluster.stop()));
    rmSync(this.directory, { recursive: true, force: true });
  }

  #args(
    { name, client, peer, data }: { name: string; client: string; peer: string; data: string },
    cluster: string,
  ): string[] {
    mkdirSync(data, { recursive: true, mode: 0o700 });
    const at = (file: string) => join(this.directory, file);
    const flags = {
      name,
      'data-dir': data,
      'log-level': 'error',
      logger: 'zap',
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': cluster,
      'cert-file': at('etcd.crt'),
      'key-file': at('etcd.key'),
      'trusted-ca-file': at('ca.crt'),
      'client-cert-auth': 'true',
    };
    return Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
  }
}

interface Member {
  readonly client: string;
  readonly args: readonly string[];
}

/** Running etcd processes. */
export class EtcdCluster {
  readonly #members: readonly Member[];
  readonly #running = new Map<number, ChildProcess>();

  constructor(members: readonly Member[]) {
    this.#members = members;
  }

  get endpoints(): string[] {
    return this.#members.map((member) => member.client);
  }

  startMember(index: number): void {
    this.#running.set(index, spawn('etcd', this.#members[index]?.args ?? [], { stdio: 'ignore' }));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#members.map((_, index) => this.killMember(index)));
  }

  async killMember(index: number): Promise<void> {
    const child = this.#running.get(index);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) => {
          server.once('listening', () => resolve((server.address() as { port: number }).port));
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
