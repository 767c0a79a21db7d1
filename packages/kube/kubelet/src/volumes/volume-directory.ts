import { lstat, mkdir, stat } from 'node:fs/promises';
import { isAbsolute, join, normalize, posix } from 'node:path';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { VolumeError } from './payload.ts';

const pluginNames: readonly (readonly [keyof corev1.Volume, string])[] = [
  ['emptyDir', 'kubernetes.io~empty-dir'],
  ['configMap', 'kubernetes.io~configmap'],
  ['secret', 'kubernetes.io~secret'],
  ['projected', 'kubernetes.io~projected'],
  ['downwardAPI', 'kubernetes.io~downward-api'],
];

/** Where a pod's own volume lives under the pod's directory, as kubelet lays it out. */
export function volumeDirectory(podDir: string, volume: corev1.Volume): string {
  const plugin = pluginNames.find(([field]) => volume[field] !== undefined)?.[1] ?? 'kubernetes.io~empty-dir';
  return join(podDir, 'volumes', plugin, volume.name);
}

/** Checks and makes a hostPath volume as its type asks; below `root`, whatever the path, when the node has a disk of its own. */
export async function hostPathDirectory(
  { path: wanted, type = '' }: corev1.HostPathVolumeSource,
  root?: string,
): Promise<string> {
  const path = root === undefined ? wanted : join(root, posix.resolve('/', wanted));
  if (type === 'DirectoryOrCreate') await mkdir(path, { recursive: true, mode: 0o755 });
  const found = await stat(path).catch(() => undefined);
  if (type === 'Directory' && !found?.isDirectory())
    throw new VolumeError(`hostPath type check failed: ${path} is not a directory`);
  if (type === 'File' && !found?.isFile()) throw new VolumeError(`hostPath type check failed: ${path} is not a file`);
  if (type === 'Socket' && !found?.isSocket())
    throw new VolumeError(`hostPath type check failed: ${path} is not a socket file`);
  if (type === '' && !found) await mkdir(path, { recursive: true, mode: 0o755 });
  return path;
}

/**
 * The directory behind a claim. Volumes of drivers that do not exist here are directories under the node's data
 * directory, named after the PersistentVolume, and outlive the pod.
 */
export async function claimDirectory(
  client: Client,
  namespace: string,
  claimName: string,
  dataDir: string,
): Promise<string> {
  const claim = await client.get(corev1.persistentvolumeclaims, { namespace, name: claimName });
  const volumeName = claim.spec?.volumeName;
  if (!volumeName || claim.status?.phase !== 'Bound')
    throw new VolumeError(`persistentvolumeclaim "${claimName}" is not bound`);
  const volume = await client.get(corev1.persistentvolumes, { name: volumeName });
  const spec = volume.spec as
    | (corev1.PersistentVolumeSpec & { readonly local?: { readonly path: string } })
    | undefined;
  if (spec?.hostPath) return hostPathDirectory({ type: 'DirectoryOrCreate', path: spec.hostPath.path });
  if (spec?.local) return hostPathDirectory({ type: 'Directory', path: spec.local.path });
  const directory = join(dataDir, 'persistent-volumes', volumeName);
  await mkdir(directory, { recursive: true, mode: 0o755 });
  return directory;
}

/** The place a subPath names inside a volume, made when it is missing. */
export async function subPathDirectory(volumeDir: string, subPath: string): Promise<string> {
  const inside = normalize(subPath);
  if (isAbsolute(inside) || inside.split('/').includes('..'))
    throw new VolumeError(`subPath "${subPath}" must stay inside the volume`);
  const path = join(volumeDir, inside);
  if (!(await lstat(path).catch(() => undefined))) await mkdir(path, { recursive: true, mode: 0o755 });
  return path;
}
