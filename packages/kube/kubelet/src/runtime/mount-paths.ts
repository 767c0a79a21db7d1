/** A volume as a container sees it and where it really is. */
export interface Mount {
  readonly mountPath: string;
  readonly hostPath: string;
  readonly readOnly: boolean;
}

/** Characters that may stand before and after a path inside an argument, an environment value or a shell script. */
const boundary = /[\s=:,;"'`()<>|&[\]{}]/;

/**
 * Rewrites the mount paths inside a text to where the volumes really are. Ordinary users cannot mount, so containers that
 * are host processes are told the real directories instead. A path counts only as a whole: `/etc/app` does not touch
 * `/etc/apple` or `/opt/etc/app`.
 */
export function rewritePaths(text: string, mounts: readonly Mount[]): string {
  if (!text.includes('/')) return text;
  const ordered = longestFirst(mounts);
  let result = '';
  for (let at = 0; at < text.length; ) {
    const mount =
      text[at] === '/' && startsPath(text, at) ? ordered.find((one) => isAt(text, at, one.mountPath)) : undefined;
    if (mount) {
      result += mount.hostPath;
      at += trimmed(mount.mountPath).length;
    } else result += text[at++];
  }
  return result;
}

/** Where a path of the container lies on this machine; below `rootDir` when no volume holds it. */
export function hostPathOf(path: string, mounts: readonly Mount[], rootDir: string): string {
  const mount = longestFirst(mounts).find(
    ({ mountPath }) => path === trimmed(mountPath) || path.startsWith(`${trimmed(mountPath)}/`),
  );
  if (mount) return mount.hostPath + path.slice(trimmed(mount.mountPath).length);
  return path.startsWith('/') ? rootDir + path : `${rootDir}/${path}`;
}

function longestFirst(mounts: readonly Mount[]): readonly Mount[] {
  return mounts.filter(({ mountPath }) => mountPath !== '/').sort((a, b) => b.mountPath.length - a.mountPath.length);
}

function startsPath(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text[at - 1] as string;
  // `http://host/etc/app` is an address, not a path: its slashes follow a colon and a slash.
  if (before === ':' && text[at + 1] === '/') return false;
  return boundary.test(before);
}

function isAt(text: string, at: number, mountPath: string): boolean {
  const path = trimmed(mountPath);
  if (!text.startsWith(path, at)) return false;
  const after = text[at + path.length];
  return after === undefined || after === '/' || boundary.test(after);
}

function trimmed(mountPath: string): string {
  return mountPath.endsWith('/') ? mountPath.slice(0, -1) : mountPath;
}
