import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../../kinds/behaviour.ts';
import type { AdmissionRequest } from '../admission.ts';
import type { Lookup } from '../lookup.ts';

const mirrorAnnotation = 'kubernetes.io/config.mirror';

interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

const nodeNameOf = (pod: UnstructuredObject | undefined): unknown =>
  (pod?.['spec'] as { nodeName?: string } | undefined)?.nodeName;

/** Why a node may not do this to a pod; undefined when it may. */
export async function podObjection(
  request: AdmissionRequest,
  node: string,
  lookup: Lookup,
): Promise<string | undefined> {
  const { operation, subresource, object, oldObject } = request;
  switch (subresource) {
    case '':
      if (operation === 'CREATE') return mirrorPodObjection(object!, node, lookup);
      if (operation !== 'DELETE')
        return `unexpected operation "${operation}", node "${node}" can only create and delete mirror pods`;
      return nodeNameOf(oldObject) === node
        ? undefined
        : `node "${node}" can only delete pods with spec.nodeName set to itself`;
    case 'status':
      if (operation !== 'UPDATE')
        return `unexpected operation "${operation}", node "${node}" can only update pod status`;
      if (nodeNameOf(oldObject) !== node)
        return `node "${node}" can only update pod status for pods with spec.nodeName set to itself`;
      return jsonEqual(object!['metadata'].labels ?? {}, oldObject!.metadata.labels ?? {})
        ? undefined
        : `node "${node}" cannot update labels through pod status`;
    case 'eviction':
      return nodeNameOf(oldObject ?? (await lookup.get('', 'pods', request.namespace, request.name))) === node
        ? undefined
        : `node ${node} can only evict pods with spec.nodeName set to itself`;
    default:
      return `unexpected pod subresource "${subresource}", only 'status' and 'eviction' are allowed`;
  }
}

/** A kubelet creates pods only to show its static ones, owned by its own node. */
async function mirrorPodObjection(pod: Draft, node: string, lookup: Lookup): Promise<string | undefined> {
  const { metadata, spec = {} } = pod as { metadata: Draft; spec?: Draft };
  if (metadata['annotations']?.[mirrorAnnotation] === undefined)
    return `pod does not have "${mirrorAnnotation}" annotation, node "${node}" can only create mirror pods`;
  if (spec['nodeName'] !== node) return `node "${node}" can only create pods with spec.nodeName set to itself`;
  const owners = (metadata['ownerReferences'] ?? []) as readonly OwnerReference[];
  return (await ownerObjection(owners, node, lookup)) ?? referenceObjection(spec, node);
}

async function ownerObjection(
  owners: readonly OwnerReference[],
  node: string,
  lookup: Lookup,
): Promise<string | undefined> {
  const [owner, another] = owners;
  if (another) return `node "${node}" can only create pods with a single owner reference set to itself`;
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node)
    return `node "${node}" can only create pods with an owner reference set to itself`;
  if (owner.controller !== true)
    return `node "${node}" can only create pods with a controller owner reference set to itself`;
  if (owner.blockOwnerDeletion === true) return `node "${node}" must not set blockOwnerDeletion on an owner reference`;
  const found = await lookup.get('', 'nodes', '', node);
  if (!found) return `node "${node}" not found`;
  return found.metadata.uid === owner.uid
    ? undefined
    : `node ${node} UID mismatch: expected ${found.metadata.uid} got ${owner.uid}`;
}

/** A mirror pod that names a secret would let its node read it. */
function referenceObjection(spec: Draft, node: string): string | undefined {
  const no = (what: string): string => `node "${node}" can not create pods that reference ${what}`;
  if (spec['serviceAccountName']) return no('a service account');
  const volumes: Draft[] = spec['volumes'] ?? [];
  const containers: Draft[] = [
    ...(spec['initContainers'] ?? []),
    ...(spec['containers'] ?? []),
    ...(spec['ephemeralContainers'] ?? []),
  ];
  const sources = volumes.flatMap((volume) => [volume, ...(volume['projected']?.sources ?? [])]);
  const fromEnv = (key: 'secret' | 'configMap'): boolean =>
    containers.some(
      ({ env = [], envFrom = [] }) =>
        env.some((entry: Draft) => entry['valueFrom']?.[`${key}KeyRef`]) ||
        envFrom.some((entry: Draft) => entry[`${key}Ref`]),
    );
  const named = volumes.some((volume) => Object.values(volume).some((source) => source?.secretRef));
  if (named || (spec['imagePullSecrets'] ?? []).length > 0 || sources.some(({ secret }) => secret) || fromEnv('secret'))
    return no('secrets');
  if (sources.some(({ configMap }) => configMap) || fromEnv('configMap')) return no('configmaps');
  if (sources.some(({ serviceAccountToken }) => serviceAccountToken)) return no('a service account');
  if (volumes.some(({ persistentVolumeClaim }) => persistentVolumeClaim)) return no('persistentvolumeclaims');
  return undefined;
}
