import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';

/** Takes a directory for this process and gives the way to let it go. Two processes in one would destroy the data. */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = `${directory.replace(/\/+$/, '')}.lock`;
  for (let attempt = 1; ; attempt++) {
    try {
      const handle = openSync(file, 'wx', 0o600);
      writeSync(handle, String(process.pid));
      closeSync(handle);
      return () => rmSync(file, { force: true });
    } catch (cause) {
      if ((cause as { code?: string }).code !== 'EEXIST') throw cause;
      const holder = holderOf(file);
      if (attempt > 1 || (holder !== undefined && isAlive(holder))) {
        throw new Error(
          `the database in ${directory} is in use by process ${holder ?? 'unknown'}; stop it, or choose another database.directory`,
          { cause },
        );
      }
      // Its holder was killed.
      rmSync(file, { force: true });
    }
  }
}

function holderOf(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}
