import type { KubeObject } from '@hypershift-ts/kube-apimachinery';

interface Named {
  readonly name?: string;
}
interface Container {
  readonly env?: readonly {
    readonly valueFrom?: { readonly secretKeyRef?: Named; readonly configMapKeyRef?: Named };
  }[];
  readonly envFrom?: readonly { readonly secretRef?: Named; readonly configMapRef?: Named }[];
}
interface Volume {
  readonly name?: string;
  readonly secret?: { readonly secretName?: string };
  readonly configMap?: Named;
  readonly persistentVolumeClaim?: { readonly claimName?: string };
  readonly ephemeral?: object;
  readonly projected?: {
    readonly sources?: readonly { readonly secret?: Named; readonly configMap?: Named }[];
  };
  readonly csi?: { readonly nodePublishSecretRef?: Named };
}
interface Pod extends KubeObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly serviceAccountName?: string;
    readonly imagePullSecrets?: readonly Named[];
    readonly volumes?: readonly Volume[];
    readonly containers?: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly ephemeralContainers?: readonly Container[];
  };
}

/** What a pod's node must be able to read, as sorted `resource/namespace/name` keys, the pod itself included. */
export function podReferences(object: KubeObject): { readonly nodeName: string; readonly keys: readonly string[] } {
  const { metadata, spec = {} } = object as Pod;
  const namespace = metadata.namespace ?? '';
  const keys = new Set([`pods/${namespace}/${metadata.name}`]);
  const add = (resource: string, name: string | undefined) => {
    if (name) keys.add(`${resource}/${namespace}/${name}`);
  };
  // A mirror pod is the node's own report of a static pod; it must not widen what the node may read.
  if (metadata.annotations && Object.hasOwn(metadata.annotations, 'kubernetes.io/config.mirror')) {
    return { nodeName: spec.nodeName ?? '', keys: [...keys] };
  }
  add('serviceaccounts', spec.serviceAccountName);
  for (const secret of spec.imagePullSecrets ?? []) add('secrets', secret.name);
  for (const volume of spec.volumes ?? []) {
    add('secrets', volume.secret?.secretName);
    add('secrets', volume.csi?.nodePublishSecretRef?.name);
    add('configmaps', volume.configMap?.name);
    add('persistentvolumeclaims', volume.persistentVolumeClaim?.claimName);
    if (volume.ephemeral) add('persistentvolumeclaims', `${metadata.name}-${volume.name}`);
    for (const source of volume.projected?.sources ?? []) {
      add('secrets', source.secret?.name);
      add('configmaps', source.configMap?.name);
    }
  }
  for (const container of [
    ...(spec.containers ?? []),
    ...(spec.initContainers ?? []),
    ...(spec.ephemeralContainers ?? []),
  ]) {
    for (const variable of container.env ?? []) {
      add('secrets', variable.valueFrom?.secretKeyRef?.name);
      add('configmaps', variable.valueFrom?.configMapKeyRef?.name);
    }
    for (const source of container.envFrom ?? []) {
      add('secrets', source.secretRef?.name);
      add('configmaps', source.configMapRef?.name);
    }
  }
  return { nodeName: spec.nodeName ?? '', keys: [...keys].sort() };
}
