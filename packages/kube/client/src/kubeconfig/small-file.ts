import { readFileSync } from 'node:fs';

/**
 * The text of a key, a certificate or a kubeconfig on a disk of this machine. Reading so little takes a fraction of the
 * time that handing it to another thread and hearing of it takes, and every program of a control plane reads several.
 */
export async function readSmallFile(path: string): Promise<string> {
  return readFileSync(path, 'utf8');
}
