import type { KubeObject, ObjectKey, OwnerReference, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { apiVersionOf, parseApiVersion } from '@hypershift-ts/kube-apimachinery';

/** The reference that makes `owner` an owner of something; the owner must have been created already. */
export function ownerReference(
  type: ResourceType<KubeObject>,
  owner: KubeObject,
  options: { readonly controller?: boolean; readonly blockOwnerDeletion?: boolean } = {},
): OwnerReference {
  const { name, uid } = owner.metadata;
  if (!name || !uid) throw new Error(`${type.kind} ${name ?? '(unnamed)'} has no uid yet, so it cannot own anything`);
  return {
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    name,
    uid,
    ...(options.controller ? { controller: true } : {}),
    ...(options.blockOwnerDeletion ? { blockOwnerDeletion: true } : {}),
  };
}

/** The reference of the one owner that manages the object. */
export function controllerReference(type: ResourceType<KubeObject>, owner: KubeObject): OwnerReference {
  return ownerReference(type, owner, { controller: true, blockOwnerDeletion: true });
}

export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

export function isControlledBy(object: KubeObject, owner: KubeObject): boolean {
  return owner.metadata.uid !== undefined && controllerOf(object)?.uid === owner.metadata.uid;
}

/** The owner list with `reference` in it, replacing one of the same uid; throws when another controller is there. */
export function withOwner(object: KubeObject, reference: OwnerReference): readonly OwnerReference[] {
  const others = (object.metadata.ownerReferences ?? []).filter((owner) => owner.uid !== reference.uid);
  const rival = reference.controller ? others.find((owner) => owner.controller) : undefined;
  if (rival) {
    throw new Error(
      `${object.kind} ${object.metadata.name} is already controlled by ${rival.kind} ${rival.name}; ` +
        `${reference.kind} ${reference.name} cannot take it over`,
    );
  }
  return [...others, reference];
}

/** The keys of the object's owners of a kind (any version of its group): which parents a changed child wakes. */
export function ownersOfType(
  object: KubeObject,
  type: ResourceType<KubeObject>,
  which: 'controller' | 'any' = 'controller',
): ObjectKey[] {
  const keys: ObjectKey[] = [];
  for (const owner of object.metadata.ownerReferences ?? []) {
    if (which === 'controller' && owner.controller !== true) continue;
    if (owner.kind !== type.kind || parseApiVersion(owner.apiVersion).group !== type.group) continue;
    const { namespace } = object.metadata;
    keys.push(type.namespaced && namespace ? { namespace, name: owner.name } : { name: owner.name });
  }
  return keys;
}
