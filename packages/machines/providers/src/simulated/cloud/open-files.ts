import { readFile } from 'node:fs/promises';
import { CloudError } from './cloud-error.ts';

/** What a machine keeps open: the ports of its kubelet and of the agent that tunnels to it. */
const filesPerMachine = 2;
/** The rest is for control planes, connections and whatever machines open for a moment. */
const shareOfMachines = 0.75;

/** The most files that this process may have open; infinite where the system does not tell. */
export async function openFileLimit(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
}

/** Refuses a machine for which files would be missing: those that run would suffer with it, and nobody would know why. */
export function checkOpenFiles(machines: number, limit: number): void {
  const most = Math.floor((limit * shareOfMachines) / filesPerMachine);
  if (machines < most) return;
  throw new CloudError(
    'TooManyOpenFiles',
    `this process may open ${limit} files, enough for ${most} machines; raise the limit (ulimit -n) and start it again`,
    true,
  );
}

/** The message of an error, with the way out when files ran out all the same. */
export function explained(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'EMFILE' && code !== 'ENFILE') return error.message;
  return `${error.message}: too many open files; raise the limit (ulimit -n) and start this process again`;
}
