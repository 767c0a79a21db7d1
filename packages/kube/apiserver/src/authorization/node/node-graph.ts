import type { KubeObject, WatchEventType } from '@hypershift-ts/kube-apimachinery';
import { podReferences } from './pod-references.ts';

/** Which nodes need which objects, because a pod bound to the node uses them. Kept up to date by watch events. */
export class NodeGraph {
  /** `secrets/ns/name` to the nodes that use it, with how many pods make them. */
  private readonly users = new Map<string, Map<string, number>>();
  private readonly pods = new Map<string, { readonly node: string; readonly keys: readonly string[] }>();
  /** A volume belongs to whoever uses its claim, and its secrets to whoever uses the volume. */
  private readonly volumes = new Map<string, { readonly claim: string; readonly secrets: readonly string[] }>();
  private readonly secretVolumes = new Map<string, Set<string>>();
  private readonly attachments = new Map<string, string>();

  apply(event: { readonly type: WatchEventType; readonly object: KubeObject }): void {
    const { type, object } = event;
    if (type === 'BOOKMARK' || type === 'ERROR') return;
    const present = type !== 'DELETED';
    switch (object.kind) {
      case 'Pod':
        return this.setPod(object, present);
      case 'PersistentVolume':
        return this.setVolume(object, present);
      case 'VolumeAttachment': {
        const { name = '' } = object.metadata;
        if (present) this.attachments.set(name, (object as VolumeAttachment).spec?.nodeName ?? '');
        else this.attachments.delete(name);
        return;
      }
    }
  }

  /** Whether the node has a pod that uses the object, directly or through a volume. */
  uses(node: string, resource: string, namespace: string, name: string): boolean {
    if (resource === 'volumeattachments') return this.attachments.get(name) === node;
    if (this.users.get(`${resource}/${namespace}/${name}`)?.has(node)) return true;
    if (resource === 'persistentvolumes') return this.usesVolume(node, name);
    if (resource === 'secrets') {
      for (const volume of this.secretVolumes.get(`${namespace}/${name}`) ?? []) {
        if (this.usesVolume(node, volume)) return true;
      }
    }
    return false;
  }

  private usesVolume(node: string, volume: string): boolean {
    return this.users.get(this.volumes.get(volume)?.claim ?? '')?.has(node) ?? false;
  }

  private setPod(pod: KubeObject, present: boolean): void {
    const { namespace = '', name = '' } = pod.metadata;
    const key = `${namespace}/${name}`;
    const old = this.pods.get(key);
    const { nodeName, keys } = podReferences(pod);
    if (old && present && old.node === nodeName && sameList(old.keys, keys)) return;
    if (old) {
      this.pods.delete(key);
      for (const one of old.keys) this.count(one, old.node, -1);
    }
    if (!present || nodeName === '') return;
    this.pods.set(key, { node: nodeName, keys });
    for (const one of keys) this.count(one, nodeName, 1);
  }

  private count(key: string, node: string, by: number): void {
    let nodes = this.users.get(key);
    if (!nodes) this.users.set(key, (nodes = new Map()));
    const left = (nodes.get(node) ?? 0) + by;
    if (left > 0) nodes.set(node, left);
    else nodes.delete(node);
    if (nodes.size === 0) this.users.delete(key);
  }

  private setVolume(volume: PersistentVolume, present: boolean): void {
    const { name = '' } = volume.metadata;
    for (const secret of this.volumes.get(name)?.secrets ?? []) {
      const sharing = this.secretVolumes.get(secret);
      sharing?.delete(name);
      if (sharing?.size === 0) this.secretVolumes.delete(secret);
    }
    this.volumes.delete(name);
    const claim = volume.spec?.claimRef;
    if (!present || !claim) return;
    const secrets = volumeSecretRefs(volume, claim.namespace ?? '');
    this.volumes.set(name, { claim: `persistentvolumeclaims/${claim.namespace}/${claim.name}`, secrets });
    for (const secret of secrets) {
      const sharing = this.secretVolumes.get(secret);
      if (sharing) sharing.add(name);
      else this.secretVolumes.set(secret, new Set([name]));
    }
  }
}

interface SecretRef {
  readonly name?: string;
  readonly namespace?: string;
}
interface PersistentVolume extends KubeObject {
  readonly spec?: {
    readonly claimRef?: { readonly namespace?: string; readonly name?: string };
    readonly csi?: Readonly<Record<string, unknown>>;
  } & Readonly<Record<string, unknown>>;
}
interface VolumeAttachment extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
}

const csiSecretFields = [
  'nodePublishSecretRef',
  'nodeStageSecretRef',
  'nodeExpandSecretRef',
  'controllerPublishSecretRef',
];
const otherSources = ['cephfs', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos'];

function volumeSecretRefs(volume: PersistentVolume, claimNamespace: string): string[] {
  const found: string[] = [];
  const add = (ref: unknown) => {
    const { name, namespace } = (ref ?? {}) as SecretRef;
    if (name) found.push(`${namespace || claimNamespace}/${name}`);
  };
  for (const field of csiSecretFields) add(volume.spec?.csi?.[field]);
  for (const source of otherSources) add((volume.spec?.[source] as { secretRef?: unknown } | undefined)?.secretRef);
  return found;
}

const sameList = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((value, i) => value === b[i]);
