import type { appsv1, corev1, KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { appsv1 as apps, isAlreadyExists, isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { Client, InformerCache, NewObject } from '@hypershift-ts/kube-client';
import { controllerReference } from '@hypershift-ts/kube-controller';
import { canonicalJson, templateHash } from '../workload/pod-template.ts';

type Revision = appsv1.ControllerRevision;

export const hashLabel = 'controller.kubernetes.io/hash';
export const podRevisionLabel = 'controller-revision-hash';

/** An owner whose templates are remembered as ControllerRevisions. */
export interface Historic<T extends KubeObject> {
  readonly type: ResourceType<T>;
  readonly object: T;
  readonly template: corev1.PodTemplateSpec;
  readonly collisionCount: number | undefined;
}

/** What a revision stores: a patch that puts the template back, as `kubectl rollout undo` sends it. */
function revisionData(template: corev1.PodTemplateSpec): Revision['data'] {
  return { spec: { template: { ...template, $patch: 'replace' } } };
}

/** The template a revision stores. */
export function templateOf(revision: Revision): corev1.PodTemplateSpec | undefined {
  const template = (revision.data['spec'] as { template?: corev1.PodTemplateSpec & { $patch?: string } })?.template;
  if (!template) return undefined;
  const { $patch: _patch, ...rest } = template;
  return rest;
}

export function revisionsOf<T extends KubeObject>(cache: InformerCache, owner: T): readonly Revision[] {
  return cache
    .informer(apps.controllerrevisions)
    .ownedBy(owner.metadata.uid ?? '')
    .sort(byRevision);
}

function byRevision(a: Revision, b: Revision): number {
  return (a.revision ?? 0) - (b.revision ?? 0) || ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1);
}

/** The hash collided with another template's name: the caller counts it and tries again. */
export class RevisionCollision extends Error {}

/** The revision of the present template, made or moved to the front where it must be. */
export async function ensureRevision<T extends KubeObject>(
  client: Client,
  owner: Historic<T>,
  known: readonly Revision[],
): Promise<Revision> {
  const data = revisionData(owner.template);
  const text = canonicalJson(data);
  const equal = known.filter((revision) => canonicalJson(revision.data) === text).at(-1);
  const last = known.at(-1);
  const next = (last?.revision ?? 0) + 1;
  if (equal && equal === last) return equal;
  // A template that was there before comes back under a new number.
  if (equal) return client.update(apps.controllerrevisions, { ...equal, revision: next });
  const desired = newRevision(owner, data, next);
  try {
    return await client.create(apps.controllerrevisions, desired);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const { namespace = '', name = '' } = desired.metadata;
    const live = await client.get(apps.controllerrevisions, { namespace, name });
    if (canonicalJson(live.data) === text) return live;
    throw new RevisionCollision(`ControllerRevision ${name} holds another template`);
  }
}

function newRevision<T extends KubeObject>(
  owner: Historic<T>,
  data: Revision['data'],
  revision: number,
): NewObject<Revision> {
  const { name = '', namespace = '' } = owner.object.metadata;
  const hash = templateHash(data, owner.collisionCount);
  return {
    metadata: {
      name: `${name.slice(0, 253 - 11)}-${hash}`,
      namespace,
      labels: { ...owner.template.metadata?.labels, [hashLabel]: hash },
      ownerReferences: [controllerReference(owner.type, owner.object)],
    },
    data,
    revision,
  };
}

/** Forgets the oldest revisions that nothing uses. */
export async function trimRevisions(
  client: Client,
  known: readonly Revision[],
  inUse: ReadonlySet<string>,
  limit: number,
): Promise<void> {
  const idle = known.filter(({ metadata }) => !inUse.has(metadata.name ?? ''));
  for (const { metadata } of idle.slice(0, Math.max(0, idle.length - limit))) {
    const { namespace = '', name = '' } = metadata;
    try {
      await client.delete(apps.controllerrevisions, { namespace, name });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
