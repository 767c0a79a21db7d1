import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a running cluster tells about itself, in its data directory. */
export interface ClusterState {
  readonly pid: number;
  readonly server: string;
  readonly kubeconfig: string;
}

export function stateFile(dataDir: string): string {
  return join(dataDir, 'cluster.json');
}

export function logFile(dataDir: string): string {
  return join(dataDir, 'cluster.log');
}

/** The state of the cluster that runs on a data directory; undefined when none does. */
export async function runningCluster(dataDir: string): Promise<ClusterState | undefined> {
  try {
    const state = JSON.parse(await readFile(stateFile(dataDir), 'utf8')) as ClusterState;
    return isOurs(state.pid) && (await ownsDirectory(state.pid, dataDir)) ? state : undefined;
  } catch {
    return undefined;
  }
}

function isOurs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A process id can be reused; where the system tells command lines, ours names the data directory. */
async function ownsDirectory(pid: number, dataDir: string): Promise<boolean> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes(dataDir);
  } catch {
    return true;
  }
}
