import { readFileSync, statSync } from 'node:fs';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { ContainerLaunch } from './container-runtime.ts';
import type { Mount } from './mount-paths.ts';

/** Environment variable with the path of the description, for programs of ours that run as processes of a node. */
export const descriptionVariable = 'HYPERSHIFT_CONTAINER';

/** What a program of ours must know about its container when it is a process and not a function of the kubelet. */
export interface ContainerDescription {
  readonly pod: corev1.Pod;
  readonly container: corev1.Container;
  readonly command: readonly string[] | undefined;
  readonly args: readonly string[];
  readonly mounts: readonly Mount[];
  readonly rootDir: string;
  readonly podIP: string;
  readonly hostIP: string;
  /** A hosts file with the names a pod of this namespace finds in DNS. */
  readonly namesFile?: string;
}

export function describeContainer(launch: ContainerLaunch, namesFile: string | undefined): ContainerDescription {
  const { pod, container, command, args, mounts, rootDir, podIP, hostIP } = launch;
  const described = { pod, container, command, args, mounts, rootDir, podIP, hostIP };
  return namesFile ? { ...described, namesFile } : described;
}

export function readDescription(file: string): ContainerDescription {
  return JSON.parse(readFileSync(file, 'utf8')) as ContainerDescription;
}

/** Looks names up in a hosts file that somebody else keeps up to date; a name that is not in it comes back. */
export function namesFrom(file: string): (name: string) => string {
  let read = '';
  let known: ReadonlyMap<string, string> = new Map();
  return (name) => {
    const found = statSync(file, { throwIfNoEntry: false });
    // Clocks of file systems are coarse; a file that was replaced is another one at least.
    const version = found ? `${found.ino} ${found.mtimeMs} ${found.size}` : '';
    if (found && version !== read) {
      known = parseHosts(readFileSync(file, 'utf8'));
      read = version;
    }
    return known.get(name.replace(/\.$/, '')) ?? name;
  };
}

/** Lines of `address name name...`; `#` begins a remark. The first address of a name counts. */
export function parseHosts(text: string): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [address, ...names] = (line.split('#')[0] ?? '').trim().split(/\s+/);
    if (address) for (const name of names) if (!known.has(name)) known.set(name, address);
  }
  return known;
}
