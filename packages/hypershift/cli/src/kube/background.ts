import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, open, readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../cli-error.ts';
import { ownName } from '../terminal/own-name.ts';
import { type KubeOptions, kubeconfigPath } from './command.ts';
import { programArguments, programsFor } from './real-programs.ts';
import { type ClusterState, logFile, runningCluster } from './state-file.ts';

/**
 * Most of what control planes make dies young: with room to do so, collecting it costs half. And hundreds of them
 * together are more than the few gigabytes Node.js would allow itself on any machine.
 */
const heapFlags = [
  '--max-semi-space-size=128',
  `--max-old-space-size=${Math.max(2048, Math.floor((totalmem() / 2 ** 20) * 0.75))}`,
];
const startTimeoutMs = 60_000;
const stopTimeoutMs = 30_000;

/** Starts the cluster as a process of its own, waits until it answers, and says how to use it. */
export async function startBackground(options: KubeOptions): Promise<void> {
  const running = await runningCluster(options.dataDir);
  if (running) console.log(`Already running (pid ${running.pid}).`);
  const programs = programArguments(await programsFor(options));
  const args = [
    'kube',
    '--foreground',
    ...forwarded(options),
    ...(options.hypershiftPrograms === 'none' ? [] : programs),
  ];
  explain(running ?? (await launch(options.dataDir, args)), options.dataDir);
}

/** Runs this program again as a process of its own that owns a data directory, and waits until its cluster answers. */
export async function launch(dataDir: string, args: readonly string[]): Promise<ClusterState> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const log = await open(logFile(dataDir), 'w', 0o600);
  const child = spawn(process.execPath, [...heapFlags, process.argv[1]!, ...args], {
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  await log.close();
  const state = await untilReady(child, dataDir);
  child.unref();
  return state;
}

/** Asks the cluster of a data directory to stop, and makes sure it has. */
export async function stopBackground(dataDir: string): Promise<void> {
  const running = await runningCluster(dataDir);
  if (!running) {
    console.log('Nothing is running there.');
    return;
  }
  process.kill(running.pid, 'SIGTERM');
  const deadline = Date.now() + stopTimeoutMs;
  while (isAlive(running.pid)) {
    if (Date.now() > deadline) {
      process.kill(running.pid, 'SIGKILL');
      break;
    }
    await sleep(50);
  }
  console.log(`Stopped (pid ${running.pid}). Its state stays in ${shown(dataDir)}.`);
}

function forwarded(options: KubeOptions): string[] {
  return [
    '--data-dir',
    options.dataDir,
    '--secure-port',
    String(options.securePort),
    '--bind-address',
    options.bindAddress,
    '--kubeconfig',
    kubeconfigPath(options),
    '--hypershift-programs',
    options.hypershiftPrograms,
    ...options.runImage.flatMap((pattern) => ['--run-image', pattern]),
    ...(options.auditLogPath ? ['--audit-log-path', options.auditLogPath] : []),
  ];
}

async function untilReady(child: ChildProcess, dataDir: string): Promise<ClusterState> {
  const deadline = Date.now() + startTimeoutMs;
  while (child.exitCode === null && Date.now() < deadline) {
    const state = await runningCluster(dataDir);
    if (state?.pid === child.pid) return state!;
    await sleep(50);
  }
  // A cluster nobody waits for any more must not keep the data directory locked.
  if (child.exitCode === null) child.kill('SIGKILL');
  child.unref();
  const tail = (await readFile(logFile(dataDir), 'utf8').catch(() => '')).trim().split('\n').slice(-5).join('\n  ');
  throw new UserError(
    child.exitCode === null
      ? 'the cluster did not become ready within a minute'
      : `the cluster ended with code ${child.exitCode}`,
    `${tail}\n  The whole log is in ${shown(logFile(dataDir))}.`,
  );
}

function explain({ server, kubeconfig }: ClusterState, dataDir: string): void {
  console.log(`Kubernetes is ready at ${server}`);
  console.log(`  kubeconfig: ${shown(kubeconfig)}`);
  console.log('\nTry:');
  console.log(`  kubectl --kubeconfig ${shown(kubeconfig)} get namespaces`);
  console.log(`  kubectl --kubeconfig ${shown(kubeconfig)} create deployment hello --image=hello`);
  console.log(`\nStop it with \`${ownName()} down --data-dir ${shown(dataDir)}\`.`);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Paths below the current folder are shorter to paste. */
export function shown(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') || short === '' ? path : short;
}
