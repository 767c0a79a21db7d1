import { lstat, mkdir, rm, symlink } from 'node:fs/promises';
import { dirname, join, normalize, relative } from 'node:path';
import type { Mount } from './mount-paths.ts';

/** Links a container's volumes under its root directory, where a program that respects HYPERSHIFT_ROOT finds them. */
export async function linkMounts(rootDir: string, mounts: readonly Mount[]): Promise<void> {
  await mkdir(rootDir, { recursive: true, mode: 0o755 });
  const linked: string[] = [];
  for (const { mountPath, hostPath } of [...mounts].sort((a, b) => a.mountPath.length - b.mountPath.length)) {
    const link = normalize(join(rootDir, mountPath));
    if (link === rootDir || relative(rootDir, link).startsWith('..')) continue;
    // A mount inside another one would have to be linked inside that volume, which may be shared or read-only.
    if (linked.some((outer) => link.startsWith(`${outer}/`))) continue;
    await mkdir(dirname(link), { recursive: true, mode: 0o755 });
    const present = await lstat(link).catch(() => undefined);
    if (present?.isSymbolicLink()) await rm(link);
    if (!present || present.isSymbolicLink()) await symlink(hostPath, link);
    linked.push(link);
  }
}
