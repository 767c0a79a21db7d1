import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { mayNameServices, type RealPrograms } from '@hypershift-ts/hypershift-embedded';
import { writeSecret } from '@hypershift-ts/kube-embedded';
import { exitCodes, UserError } from '../cli-error.ts';
import type { KubeOptions } from './command.ts';
import type { RealProgramFlags } from './real-program-flags.ts';

/** What is written down in a data directory, because what an etcd wrote the other cannot read. */
interface Remembered {
  readonly etcd?: string;
  readonly kubeApiServer?: string;
}

const memoryFile = (dataDir: string): string => join(dataDir, 'programs.json');

async function remembered(dataDir: string): Promise<Remembered | undefined> {
  try {
    return JSON.parse(await readFile(memoryFile(dataDir), 'utf8')) as Remembered;
  } catch {
    return existsSync(join(dataDir, 'kubeconfig')) ? {} : undefined;
  }
}

/** So that the next start on this data directory needs no flags. */
export async function rememberPrograms(dataDir: string, programs: RealPrograms): Promise<void> {
  await writeSecret(memoryFile(dataDir), JSON.stringify(programs));
}

/** The programs hosted clusters of a data directory run; fails with what to do when one is not there or cannot be. */
export async function realPrograms(dataDir: string, flags: RealProgramFlags): Promise<RealPrograms> {
  const before = await remembered(dataDir);
  const kubeApiServer = flags.kubeApiserver ?? before?.kubeApiServer;
  const wanted = flags.etcd ?? (flags.kubeApiserver && !before ? 'real' : (before?.etcd ?? 'builtin'));
  if (before && (before.etcd === undefined) !== (wanted === 'builtin')) throw otherEtcd(dataDir, before.etcd);
  if (wanted === 'builtin') {
    if (!flags.kubeApiserver) return {};
    throw new UserError(
      '--kube-apiserver needs a real etcd: the builtin one serves only the API server of its own process',
      before ? 'Choose another --data-dir: this one was begun with the builtin etcd.' : 'Leave out --etcd builtin.',
      { exitCode: exitCodes.usage },
    );
  }
  const etcd = wanted === 'real' ? onPath('etcd') : resolve(wanted);
  if (!etcd || !existsSync(etcd)) throw noEtcd(etcd);
  await programVersion(etcd, '--etcd');
  if (!kubeApiServer) return { etcd };
  await programVersion(resolve(kubeApiServer), '--kube-apiserver');
  if (!mayNameServices())
    throw new UserError(
      'a real kube-apiserver finds its etcd through an /etc/hosts of its own, and this machine allows no user namespaces',
      'Allow them (sysctl kernel.unprivileged_userns_clone=1, or kernel.apparmor_restrict_unprivileged_userns=0 on Ubuntu), or leave --kube-apiserver out.',
    );
  return { etcd, kubeApiServer: resolve(kubeApiServer) };
}

/** The same for `hypershift kube`, where hosted clusters need programs of HyperShift on the nodes. */
export async function programsFor(options: KubeOptions): Promise<RealPrograms> {
  const { dataDir, hypershiftPrograms, etcd, kubeApiserver } = options;
  if (hypershiftPrograms === 'none' && (etcd ?? kubeApiserver))
    throw new UserError(
      '--etcd and --kube-apiserver are for hosted clusters, and this cluster runs nothing of HyperShift',
      'Add --hypershift-programs builtin.',
      { exitCode: exitCodes.usage },
    );
  // The builtin etcd lives in one process with its API server; a real one lets both be processes of their own.
  const begins = etcd === undefined && (await remembered(dataDir)) === undefined;
  const found = hypershiftPrograms === 'process' && begins ? onPath('etcd') : undefined;
  return realPrograms(dataDir, found ? { etcd: found, ...(kubeApiserver ? { kubeApiserver } : {}) } : options);
}

function otherEtcd(dataDir: string, etcd: string | undefined): UserError {
  return new UserError(
    `hosted clusters in ${dataDir} keep their data in ${etcd ? `a real etcd (${etcd})` : 'the builtin etcd'}, and neither reads what the other wrote`,
    'Leave --etcd out to go on with it, or choose another --data-dir.',
    { exitCode: exitCodes.usage },
  );
}

function noEtcd(file: string | undefined): UserError {
  return new UserError(
    file ? `--etcd names ${file}, which does not exist` : 'there is no etcd on PATH',
    'Install one (Debian and Ubuntu: apt install etcd-server; others: https://etcd.io/docs/latest/install/), or name its file: --etcd /path/to/etcd.',
  );
}

/** Where a program of this machine is. */
export function onPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

/** The version a program tells, as `3.5.16`; fails when it does not run here. */
export async function programVersion(file: string, flag: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(file, ['--version'], { timeout: 20_000, maxBuffer: 2 ** 16 });
    return /\bv?(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1] ?? 'of unknown version';
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'it does not exist' : 'it does not run';
    throw new UserError(`${flag} names ${file}, but ${why} here`, `Try it: ${file} --version.`, { cause });
  }
}

/** One line for each that is not ours, for people. */
export async function describePrograms({ etcd, kubeApiServer }: RealPrograms): Promise<readonly string[]> {
  const lines: string[] = [];
  if (etcd) {
    lines.push(`hosted clusters keep their data in etcd ${await programVersion(etcd, '--etcd')} (${etcd})`);
    if (!mayNameServices())
      lines.push('one member each only: without user namespaces, members of an etcd do not find each other here');
  }
  if (kubeApiServer) {
    const version = await programVersion(kubeApiServer, '--kube-apiserver');
    lines.push(`their API servers are kube-apiserver ${version} (${kubeApiServer})`);
  }
  return lines;
}

/** The flags again, for the process that runs the cluster. */
export function programArguments({ etcd, kubeApiServer }: RealPrograms): readonly string[] {
  return ['--etcd', etcd ?? 'builtin', ...(kubeApiServer ? ['--kube-apiserver', kubeApiServer] : [])];
}
