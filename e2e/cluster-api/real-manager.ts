import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { issue } from '@hypershift-ts/kube-pki';
import { clusterApiCrds } from '@hypershift-ts/machines-cluster-api';
import type { ClusterApi, Place } from './implementations.ts';

const variable = 'HYPERSHIFT_CAPI_MANAGER';

/** The manager of Cluster API as upstream builds it; undefined, and loudly so, when it is not on this machine. */
export function findRealManager(): string | undefined {
  const program = process.env[variable];
  if (!program) {
    process.stderr.write(
      `SKIPPED: the real Cluster API manager, for lack of ${variable} (e2e/cluster-api/README.md)\n`,
    );
    return undefined;
  }
  if (!existsSync(program)) throw new Error(`${variable} names ${program}, which does not exist`);
  return program;
}

/**
 * Upstream's manager over HTTPS. It keeps v1beta2; its own webhook converts what clients ask for in v1beta1, as in a
 * real installation.
 */
export function realClusterApi(program: string, moreFlags: readonly string[] = []): ClusterApi {
  let port = 0;
  let running: RunningManager | undefined;
  return {
    name: 'upstream',
    version: 'v1beta2',
    pid: () => running?.pid,
    async crds({ management }: Place) {
      port = await freePort();
      const caBundle = Buffer.from(management.identity.authority.certificatePem).toString('base64');
      const webhook = {
        clientConfig: { url: `https://127.0.0.1:${port}/convert`, caBundle },
        conversionReviewVersions: ['v1'],
      };
      const conversion = { strategy: 'Webhook', webhook };
      return clusterApiCrds().map((crd) => ({ ...crd, spec: { ...crd.spec, conversion } }));
    },
    async start({ management, namespace }: Place) {
      // What HyperShift gives it.
      const flags = [`--namespace=${namespace}`, '--feature-gates=MachineSetPreflightChecks=false', ...moreFlags];
      running = await runManager({ program, management, port, flags });
      return running.stop;
    },
  };
}

export interface RunningManager {
  readonly pid: number | undefined;
  readonly stop: () => Promise<void>;
}

export interface ManagerRun {
  readonly program: string;
  readonly management: Place['management'];
  /** Where its webhooks listen. */
  readonly port: number;
  readonly flags: readonly string[];
  readonly env?: { readonly [name: string]: string };
}

/** Starts one of upstream's managers and waits until its webhooks answer. */
export async function runManager({ program, management, port, flags, env = {} }: ManagerRun): Promise<RunningManager> {
  const folder = mkdtempSync(join(tmpdir(), 'real-cluster-api-'));
  await writeServingCertificate(management, folder);
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, management.adminKubeconfig(), { mode: 0o600 });
  const log = join(folder, 'manager.log');
  const file = openSync(log, 'a');
  const listening = [
    `--webhook-port=${port}`,
    `--webhook-cert-dir=${folder}`,
    '--health-addr=127.0.0.1:0',
    '--diagnostics-address=127.0.0.1:0',
    '--insecure-diagnostics=true',
  ];
  const child = spawn(program, [`--kubeconfig=${kubeconfig}`, '--v=2', ...listening, ...flags], {
    stdio: ['ignore', file, file],
    env: { ...process.env, ...env },
  });
  closeSync(file);
  await answering(port, child, log);
  return {
    pid: child.pid,
    async stop() {
      await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function writeServingCertificate({ identity }: Place['management'], folder: string): Promise<void> {
  const { certificatePem, keyPem } = await issue(identity.authority, {
    subject: { commonName: 'cluster-api' },
    role: 'server',
    now: Date.now(),
    dnsNames: ['localhost'],
    ipAddresses: ['127.0.0.1'],
  });
  writeFileSync(join(folder, 'tls.crt'), certificatePem);
  writeFileSync(join(folder, 'tls.key'), keyPem, { mode: 0o600 });
}

async function answering(port: number, child: ChildProcess, log: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) break;
    const answer = await fetch(`https://127.0.0.1:${port}/convert`).catch((error: Error) => error);
    // It speaks TLS with a certificate that this process does not know: it is there.
    if (!(answer instanceof Error) || !/ECONNREFUSED/.test(String(answer.cause))) return;
    await delay(50);
  }
  await ended(child);
  throw new Error(`the Cluster API manager does not answer:\n${readFileSync(log, 'utf8').slice(-4000)}`);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 5000);
  await gone;
  clearTimeout(late);
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
