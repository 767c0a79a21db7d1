import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core, isNotFound, storagev1 } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';

type Pod = corev1.Pod;

/** Volumes still attached to a node, except those of pods that stay there. */
export async function attachedVolumes(
  client: Client,
  node: corev1.Node,
  staying: readonly Pod[],
): Promise<readonly string[]> {
  const name = node.metadata.name ?? '';
  const { items } = await client.list(storagev1.volumeattachments);
  const attached = items.filter(({ spec, status }) => spec.nodeName === name && status?.attached);
  const onNode = node.status?.volumesAttached ?? [];
  if (attached.length === 0 && onNode.length === 0) return [];
  const { volumeNames, handles } = await volumesOf(client, staying);
  const waiting = new Set<string>();
  for (const { spec } of attached) {
    const volume = spec.source.persistentVolumeName;
    if (volume && !volumeNames.has(volume)) waiting.add(`PersistentVolume ${volume}`);
  }
  // `kubernetes.io/csi/<driver>^<handle>`: an attachment that has no object (any more).
  const known = new Set([
    ...handles,
    ...(await handlesOf(
      client,
      attached.map(({ spec }) => spec.source.persistentVolumeName ?? ''),
    )),
  ]);
  for (const { name: unique } of onNode) if (!known.has(handleIn(unique))) waiting.add(`volume ${unique}`);
  return [...waiting];
}

const handleIn = (uniqueName: string) => uniqueName.slice(uniqueName.lastIndexOf('^') + 1);

async function volumesOf(client: Client, pods: readonly Pod[]) {
  const volumeNames = new Set<string>();
  for (const { metadata, spec } of pods) {
    for (const { persistentVolumeClaim } of spec.volumes ?? []) {
      if (!persistentVolumeClaim) continue;
      const key = { namespace: metadata.namespace ?? '', name: persistentVolumeClaim.claimName };
      const claim = await client.get(core.persistentvolumeclaims, key).catch(absent);
      if (claim?.spec?.volumeName) volumeNames.add(claim.spec.volumeName);
    }
  }
  return { volumeNames, handles: await handlesOf(client, [...volumeNames]) };
}

async function handlesOf(client: Client, volumes: readonly string[]): Promise<readonly string[]> {
  const handles: string[] = [];
  for (const name of volumes) {
    if (name === '') continue;
    const volume = await client.get(core.persistentvolumes, { name }).catch(absent);
    if (volume?.spec?.csi?.volumeHandle) handles.push(volume.spec.csi.volumeHandle);
  }
  return handles;
}

function absent(error: unknown): undefined {
  if (isNotFound(error)) return undefined;
  throw error;
}
