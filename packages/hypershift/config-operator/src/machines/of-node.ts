import type { corev1, KubeObject, ObjectKey } from '@hypershift-ts/kube-apimachinery';

/** Annotations Cluster API puts on a Node when it finds the Machine that it is. */
const machineAnnotation = 'cluster.x-k8s.io/machine';
const namespaceAnnotation = 'cluster.x-k8s.io/cluster-namespace';

/** The Machine behind a Node; undefined while Cluster API has not said so. */
export function machineKeyOf(node: corev1.Node): Required<ObjectKey> | undefined {
  const name = node.metadata.annotations?.[machineAnnotation];
  const namespace = node.metadata.annotations?.[namespaceAnnotation];
  return name && namespace ? { namespace, name } : undefined;
}

/** The NodePool of a Cluster API object, from its annotation `namespace/name`. */
export function nodePoolNameOf({ metadata }: KubeObject): string | undefined {
  const value = metadata.annotations?.['hypershift.openshift.io/nodePool'];
  return value?.split('/')[1];
}
