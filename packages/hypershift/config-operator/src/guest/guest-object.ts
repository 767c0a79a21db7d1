import type { KubeObject, ObjectKey, ObjectMeta, ResourceType } from '@hypershift-ts/kube-apimachinery';

/** Marks everything the operator keeps in the hosted cluster; its caches hold nothing else. */
export const managedLabel = 'hypershift.openshift.io/managed';

/** What is stated about an object; fields that are not stated belong to others. `null` removes a field. */
interface GuestManifest {
  readonly metadata: ObjectMeta & { readonly name: string };
  readonly [field: string]: unknown;
}

/**
 * How an object is kept. `keep`: always as stated. `create`: as stated when it is made, and left to users afterwards.
 * `remove`: there must be none.
 */
export type Keeping = 'keep' | 'create' | 'remove';

/** An object of the hosted cluster and what the operator wants of it. */
export interface GuestObject {
  readonly type: ResourceType<KubeObject>;
  readonly manifest: GuestManifest;
  /** Written through the status subresource. */
  readonly status?: object;
  readonly keeping: Keeping;
  /** Its kind is served by a server of its own, so nothing is watched and every look asks. */
  readonly unwatched?: true;
}

export function kept<T extends KubeObject>(
  type: ResourceType<T>,
  key: ObjectKey,
  fields: { readonly [field: string]: unknown } = {},
  extra: {
    readonly labels?: ObjectMeta['labels'];
    readonly annotations?: ObjectMeta['annotations'];
    readonly status?: object;
    readonly keeping?: Keeping;
    readonly unwatched?: true;
  } = {},
): GuestObject {
  const { labels, annotations, status, keeping = 'keep', unwatched } = extra;
  return {
    // The object's own type is of no use to whoever keeps it.
    type: type as ResourceType<KubeObject>,
    manifest: {
      ...fields,
      metadata: {
        ...key,
        labels: { ...labels, [managedLabel]: 'true' },
        ...(annotations ? { annotations } : {}),
      },
    },
    ...(status ? { status } : {}),
    keeping,
    ...(unwatched ? { unwatched } : {}),
  };
}

/** Says that there must be no such object. */
export function removed<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey): GuestObject {
  return { type: type as ResourceType<KubeObject>, manifest: { metadata: { ...key } }, keeping: 'remove' };
}

/** `ConfigMap openshift-config/user-ca-bundle`, for messages. */
export function describeGuestObject({ type, manifest: { metadata } }: GuestObject): string {
  return `${type.kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`;
}
