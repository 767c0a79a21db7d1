import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { signalGroup } from './host-process.ts';

/** `pid start-time`: a number alone could meanwhile belong to somebody else's process. */
export async function processIdentity(pid: number): Promise<string> {
  return `${pid} ${(await startTimeOf(pid)) ?? ''}`;
}

/** Ends processes of containers that outlived an earlier kubelet, which was killed before it could stop them. */
export async function endLeftovers(podsDir: string): Promise<number> {
  let ended = 0;
  for (const file of await identityFiles(podsDir)) {
    const [pid = '', startTime = ''] = (await readFile(file, 'utf8').catch(() => '')).split(' ');
    if (/^\d+$/.test(pid) && startTime !== '' && (await startTimeOf(Number(pid))) === startTime) {
      signalGroup(Number(pid), 'SIGKILL');
      ended++;
    }
    await rm(file, { force: true });
  }
  return ended;
}

async function identityFiles(podsDir: string): Promise<string[]> {
  const files: string[] = [];
  for (const pod of await namesIn(podsDir))
    for (const container of await namesIn(join(podsDir, pod, 'containers')))
      files.push(join(podsDir, pod, 'containers', container, 'process'));
  return files;
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}

/** When the kernel started the process, in its own ticks; undefined where there is no /proc. */
async function startTimeOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}
