import { createHash } from 'node:crypto';
import { annotations } from '@hypershift-ts/hypershift-api';
import type { KubeObject, ResourceType, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { derives } from '@hypershift-ts/kube-controller';

const hashKey = annotations.desiredStateHash.key;

/** A label with this value is removed from the live object. */
export const removeLabel = '__REMOVE_LABEL__';

export interface Applied {
  readonly operation: 'created' | 'updated' | 'unchanged';
  readonly object: UnstructuredObject;
}

/** SHA-256 of the object in a form that does not depend on the order of keys. */
export function desiredStateHash(object: object): string {
  return createHash('sha256').update(canonicalText(object)).digest('hex');
}

/** JSON with sorted keys, as JSON.stringify would write a copy with sorted keys; there is no need for the copy. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) {
    let items = '';
    for (const item of value) items += `${items === '' ? '' : ','}${canonicalText(item ?? null)}`;
    return `[${items}]`;
  }
  if (!isJsonObject(value)) return JSON.stringify(value);
  let text = '';
  for (const key of sortedKeys(value)) {
    if (value[key] === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalText(value[key])}`;
  }
  return `{${text}}`;
}

/** Most objects have few keys, and often in order. */
function sortedKeys(object: object): readonly string[] {
  const keys = Object.keys(object);
  for (let i = 1; i < keys.length; i++) if ((keys[i - 1] as string) > (keys[i] as string)) return keys.sort();
  return keys;
}

/**
 * Makes the object what is desired, and writes nothing when it was made from the same desired state and still holds
 * it. The hash tells fields that are no longer wanted from fields that the server or somebody else added.
 */
export async function applyDesired(
  client: Client,
  type: ResourceType<KubeObject>,
  desired: UnstructuredObject,
  live: UnstructuredObject | undefined,
): Promise<Applied> {
  const stamped = withHash(desired);
  if (!live) {
    const object = await client.create(type, withoutRemovedLabels(stamped) as KubeObject);
    return { operation: 'created', object: object as UnstructuredObject };
  }
  if (isSettled(stamped, live)) return { operation: 'unchanged', object: live };
  const object = await client.update(type, replacement(stamped, live) as KubeObject);
  return { operation: 'updated', object: object as UnstructuredObject };
}

/** Whether the live object was made from this desired state and still holds it. */
export function isSettled(stamped: UnstructuredObject, live: UnstructuredObject): boolean {
  if (live.metadata.annotations?.[hashKey] !== stamped.metadata.annotations?.[hashKey]) return false;
  const next = replacement(stamped, live);
  const unwanted = Object.keys(live.metadata.labels ?? {}).some((key) => next.metadata.labels?.[key] === undefined);
  return !unwanted && derives(next, live);
}

export function withHash(desired: UnstructuredObject): UnstructuredObject {
  const { metadata } = desired;
  return {
    ...desired,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [hashKey]: desiredStateHash(desired) } },
  };
}

function withoutRemovedLabels(object: UnstructuredObject): UnstructuredObject {
  const { labels } = object.metadata;
  if (!labels || !Object.values(labels).includes(removeLabel)) return object;
  const kept = Object.entries(labels).filter(([, value]) => value !== removeLabel);
  return { ...object, metadata: { ...object.metadata, labels: Object.fromEntries(kept) } };
}

/** The desired object in place of the live one: other people's metadata and what the server assigned stay. */
export function replacement(desired: UnstructuredObject, live: UnstructuredObject): UnstructuredObject {
  const { metadata: own, ...body } = desired;
  const { metadata: old } = live;
  const labels = Object.entries({ ...old.labels, ...own.labels }).filter(([, value]) => value !== removeLabel);
  const owners = own.ownerReferences ?? [];
  return {
    ...(live['status'] === undefined ? {} : { status: live['status'] }),
    ...body,
    ...keptFields(desired, live),
    metadata: {
      ...old,
      labels: Object.fromEntries(labels),
      annotations: { ...old.annotations, ...own.annotations },
      ownerReferences: [
        ...(old.ownerReferences ?? []).map((one) => owners.find(({ uid }) => uid === one.uid) ?? one),
        ...owners.filter(({ uid }) => !old.ownerReferences?.some((one) => one.uid === uid)),
      ],
    },
  };
}

/** Fields the server assigned once, or that cannot change. */
function keptFields(desired: UnstructuredObject, live: UnstructuredObject): { readonly [field: string]: unknown } {
  const spec = desired['spec'] as Record<string, unknown> | undefined;
  const old = live['spec'] as Record<string, unknown> | undefined;
  switch (desired.kind) {
    case 'Service':
      return { spec: { ...keptOfService(old), ...spec, ports: keptPorts(spec?.['ports'], old?.['ports']) } };
    case 'Deployment':
    case 'StatefulSet':
      return { spec: { ...spec, selector: old?.['selector'] ?? spec?.['selector'], ...keptClaims(old) } };
    case 'ServiceAccount':
      return keptAccount(desired, live);
    default:
      return {};
  }
}

function keptOfService(old: Record<string, unknown> | undefined): object {
  const assigned = [
    'clusterIP',
    'clusterIPs',
    'ipFamilies',
    'ipFamilyPolicy',
    'healthCheckNodePort',
    'loadBalancerClass',
  ];
  return Object.fromEntries(assigned.filter((key) => old?.[key] !== undefined).map((key) => [key, old?.[key]]));
}

function keptPorts(wanted: unknown, old: unknown): unknown {
  if (!Array.isArray(wanted) || !Array.isArray(old)) return wanted;
  return wanted.map((port: { name?: string; nodePort?: number }) => {
    const found = (old as { name?: string; nodePort?: number }[]).find(({ name }) => name === port.name);
    return port.nodePort === undefined && found?.nodePort ? { ...port, nodePort: found.nodePort } : port;
  });
}

function keptClaims(old: Record<string, unknown> | undefined): object {
  return old?.['volumeClaimTemplates'] === undefined ? {} : { volumeClaimTemplates: old['volumeClaimTemplates'] };
}

/** Other controllers add token and pull secrets to service accounts. */
function keptAccount(desired: UnstructuredObject, live: UnstructuredObject): { readonly [field: string]: unknown } {
  const own = (desired['imagePullSecrets'] ?? []) as readonly { name: string }[];
  const old = (live['imagePullSecrets'] ?? []) as readonly { name: string }[];
  return {
    ...(live['secrets'] === undefined ? {} : { secrets: live['secrets'] }),
    imagePullSecrets: [...own, ...old.filter(({ name }) => !own.some((one) => one.name === name))],
  };
}
