import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes the database file, empty and readable by its owner only, when it is absent; its log inherits the mode. The
 * directory entry is synced too, or a power loss could lose the whole file after its first acknowledged write.
 */
export async function ensureStoreFile(file: string): Promise<void> {
  const directory = dirname(file);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  try {
    // Never opens an existing file: closing it again would drop the locks that this process may hold on it.
    const handle = await open(file, 'wx', 0o600);
    await handle.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw error;
  }
  await syncDirectory(directory);
}

export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
