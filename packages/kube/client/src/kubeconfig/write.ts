import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Kubeconfig } from '@hypershift-ts/kube-apimachinery';
import { stringify } from 'yaml';

/** The text of a kubeconfig file. */
export function formatKubeconfig(config: Kubeconfig): string {
  return stringify(config, { lineWidth: 0 });
}

/** Writes the file for its owner's eyes only, whole or not at all. */
export async function writeKubeconfig(file: string, config: Kubeconfig): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, formatKubeconfig(config), { mode: 0o600, flag: 'wx' });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
