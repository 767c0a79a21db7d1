import { type ChildProcess, spawn } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { formatKubeconfig, HttpClient } from '@hypershift-ts/kube-client';
import { type ClusterIdentity, ensureIdentity } from '@hypershift-ts/kube-embedded';
import { issue, kubeconfigFor } from '@hypershift-ts/kube-pki';
import type { RealPrograms } from './binaries.ts';

/** Kubernetes refuses endpoints in 127/8, so pods and the API server live in a range that only this namespace has. */
export const addresses = {
  local: '198.18.0.0/15',
  pods: '198.18.0.0/16',
  apiServer: '198.19.0.1',
  services: '127.96.0.0/20',
} as const;

/** Everything but reading, without the objects themselves. */
const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived', 'ResponseStarted'],
  rules: [{ level: 'Metadata' }],
};

/** A real kube-apiserver with a real etcd behind it. */
export class RealApiServer {
  readonly identity: ClusterIdentity;
  readonly server = `https://${addresses.apiServer}:6443`;
  readonly auditLog: string;
  readonly folder: string;
  private readonly processes: ChildProcess[] = [];

  private constructor(folder: string, identity: ClusterIdentity) {
    this.folder = folder;
    this.identity = identity;
    this.auditLog = join(folder, 'audit.log');
  }

  static async start(programs: RealPrograms, folder: string): Promise<RealApiServer> {
    const pki = join(folder, 'pki');
    mkdirSync(pki, { recursive: true, mode: 0o700 });
    const service = [
      'kubernetes',
      'kubernetes.default',
      'kubernetes.default.svc',
      'kubernetes.default.svc.cluster.local',
    ];
    const identity = await ensureIdentity({
      directory: pki,
      now: Date.now(),
      dnsNames: ['localhost', ...service],
      ipAddresses: ['127.0.0.1', '127.96.0.1', addresses.apiServer],
    });
    const publicKey = createPublicKey(identity.serviceAccountKey).export({ type: 'spki', format: 'pem' });
    writeFileSync(join(pki, 'sa.pub'), publicKey);
    writeFileSync(join(folder, 'audit-policy.json'), JSON.stringify(auditPolicy));
    const server = new RealApiServer(folder, identity);
    try {
      server.run(programs.etcd, [
        `--data-dir=${join(folder, 'etcd')}`,
        '--listen-client-urls=http://127.0.0.1:12379',
        '--advertise-client-urls=http://127.0.0.1:12379',
        '--listen-peer-urls=http://127.0.0.1:12380',
        '--unsafe-no-fsync',
      ]);
      server.run(programs.apiServer, flagsOf(pki, folder));
      await server.ready();
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** Runs a program of the cluster until the cluster stops; what it prints goes to a file. */
  run(program: string, args: readonly string[]): ChildProcess {
    const name = program.split('/').at(-1) ?? program;
    const log = openSync(join(this.folder, `${name}.log`), 'a');
    const child = spawn(program, args, { cwd: this.folder, stdio: ['ignore', log, log] });
    closeSync(log);
    this.processes.push(child);
    return child;
  }

  /** A kubeconfig with a certificate of somebody; contains a private key. */
  async kubeconfig(commonName: string, organizations: readonly string[] = []): Promise<string> {
    const { authority } = this.identity;
    const subject = { commonName, organizations };
    const credentials = await issue(authority, { subject, role: 'client', now: Date.now() });
    return formatKubeconfig(
      kubeconfigFor({
        server: this.server,
        certificateAuthority: authority.certificatePem,
        credentials,
        clusterName: 'real',
        userName: commonName,
        contextName: 'real',
      }),
    );
  }

  async client(userAgent: string, commonName: string, organizations: readonly string[] = []): Promise<HttpClient> {
    const { authority } = this.identity;
    const { certificatePem, keyPem } = await issue(authority, {
      subject: { commonName, organizations },
      role: 'client',
      now: Date.now(),
    });
    return new HttpClient(
      {
        server: this.server,
        certificateAuthority: { pem: authority.certificatePem },
        clientCertificate: { certificate: { pem: certificatePem }, key: { pem: keyPem } },
      },
      { userAgent },
    );
  }

  admin(userAgent = 'somebody'): Promise<HttpClient> {
    return this.client(userAgent, 'kubernetes-admin', ['system:masters']);
  }

  async stop(): Promise<void> {
    for (const child of this.processes.splice(0).reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(late);
    }
  }

  private async ready(): Promise<void> {
    const client = await this.admin();
    try {
      for (let tries = 0; ; tries++) {
        const answer = await client.raw('GET', '/readyz').catch((error: Error) => error);
        if (!(answer instanceof Error)) return;
        const ended = this.processes.find(({ exitCode }) => exitCode !== null);
        if (tries > 300 || ended)
          throw new Error(`the real kube-apiserver is not ready: ${answer.message}\n${this.lastWords()}`);
        await delay(200);
      }
    } finally {
      await client.close();
    }
  }

  private lastWords(): string {
    return readFileSync(join(this.folder, 'kube-apiserver.log'), 'utf8').split('\n').slice(-20).join('\n');
  }
}

function flagsOf(pki: string, folder: string): readonly string[] {
  const file = (name: string) => join(pki, name);
  return [
    '--etcd-servers=http://127.0.0.1:12379',
    '--secure-port=6443',
    // Pods share the addresses of this machine, so nobody may take a port on all of them.
    `--bind-address=${addresses.apiServer}`,
    `--advertise-address=${addresses.apiServer}`,
    `--service-cluster-ip-range=${addresses.services}`,
    '--allow-privileged=true',
    // Nobody's DNS knows the names of nodes.
    '--kubelet-preferred-address-types=InternalIP',
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    `--tls-cert-file=${file('apiserver.crt')}`,
    `--tls-private-key-file=${file('apiserver.key')}`,
    `--client-ca-file=${file('ca.crt')}`,
    `--requestheader-client-ca-file=${file('front-proxy-ca.crt')}`,
    '--requestheader-allowed-names=front-proxy-client',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-username-headers=X-Remote-User',
    `--kubelet-client-certificate=${file('apiserver-kubelet-client.crt')}`,
    `--kubelet-client-key=${file('apiserver-kubelet-client.key')}`,
    `--kubelet-certificate-authority=${file('ca.crt')}`,
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-key-file=${file('sa.pub')}`,
    `--service-account-signing-key-file=${file('sa.key')}`,
    `--audit-policy-file=${join(folder, 'audit-policy.json')}`,
    `--audit-log-path=${join(folder, 'audit.log')}`,
  ];
}
