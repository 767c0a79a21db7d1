/** The machine template of a pool in the words of its provider. */
import { goJson, machineTemplateName } from '@hypershift-ts/hypershift-ignition';
import type { DesiredTemplate, MachineTemplate } from '@hypershift-ts/hypershift-platforms';
import {
  isNotFound,
  type JsonObject,
  jsonEqual,
  type KubeObject,
  type ResourceType,
} from '@hypershift-ts/kube-apimachinery';
import { deleteIfPresent, getIfPresent, type ReconcileContext, type Upserted } from '@hypershift-ts/kube-controller';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { isMadeFor } from '../load.ts';
import { isInPlace, type PoolScope } from '../scope.ts';
import { belongsToPool } from './names.ts';
import { ensureStated } from './stated.ts';

/** The spec as far as it decides what a machine is. */
export function countedSpec({ spec, counted, uncounted = [] }: DesiredTemplate): JsonObject {
  const { template, ...rest } = spec as { readonly template?: JsonObject };
  const { spec: machine, ...meta } = (template ?? {}) as { readonly spec?: JsonObject };
  const left = Object.fromEntries(Object.entries(machine ?? {}).filter(([key]) => !uncounted.includes(key)));
  return counted === 'machine' ? left : { ...rest, template: { ...meta, spec: left } };
}

/** The name that a template of this content has. */
export const templateName = (pool: string, desired: DesiredTemplate): string =>
  machineTemplateName(pool, goJson(countedSpec(desired)));

/** The template that the machines of the pool are made from now. */
async function referencedTemplate(
  { pool, machineDeployment, machineSet, namespace }: PoolScope,
  type: ResourceType<MachineTemplate>,
  { client, signal }: ReconcileContext,
): Promise<MachineTemplate | undefined> {
  const reference = (isInPlace(pool) ? machineSet : machineDeployment)?.spec.template?.spec.infrastructureRef;
  if (!reference?.name || reference.kind !== type.kind) return undefined;
  return getIfPresent(client, type, { namespace, name: reference.name }, { signal });
}

/** Whether a template in use says the same, whatever its name: an older operator may have named it in another way. */
async function saysTheSame(
  live: MachineTemplate,
  desired: DesiredTemplate,
  object: MachineTemplate,
  type: ResourceType<MachineTemplate>,
  { client, signal }: ReconcileContext,
): Promise<boolean> {
  // The server fills in defaults, so only what it would make of ours can be compared.
  const filled = await client.create(type, object, { dryRun: true, signal });
  const { uncounted = [] } = desired;
  return jsonEqual(countedSpec({ spec: live.spec, uncounted }), countedSpec({ spec: filled.spec, uncounted }));
}

/** Writes the template and answers it; one that is in use and says the same keeps its name. */
export async function ensureTemplate(
  scope: PoolScope,
  type: ResourceType<MachineTemplate>,
  desired: DesiredTemplate,
  context: ReconcileContext,
): Promise<Upserted<MachineTemplate>> {
  const { pool, namespace } = scope;
  const own = templateName(pool.metadata.name ?? '', desired);
  const object = (name: string): MachineTemplate => ({
    apiVersion: `${type.group}/${type.version}`,
    kind: type.kind,
    metadata: {
      name,
      namespace,
      annotations: belongsToPool(pool),
      ...(desired.labels ? { labels: { ...desired.labels, ...selfLabel(desired.labels, name) } } : {}),
    },
    spec: desired.spec,
  });
  const used = await referencedTemplate(scope, type, context);
  const isSame =
    used !== undefined &&
    (used.metadata.name === own || (await saysTheSame(used, desired, object(own), type, context)));
  const name = isSame ? (used.metadata.name ?? own) : own;
  const live = isSame
    ? used
    : await getIfPresent(context.client, type, { namespace, name }, { signal: context.signal });
  return ensureStated(type, live, object(name), context);
}

const clonedFromLabel = 'cluster.x-k8s.io/cloned-from-name';

/** A label that should hold the template's own name, which nobody knows before. */
const selfLabel = (labels: { readonly [key: string]: string }, name: string): { [key: string]: string } =>
  clonedFromLabel in labels ? { [clonedFromLabel]: name } : {};

/** Removes templates of the pool that no machine will be made from any more. */
export async function deleteUnusedTemplates(
  { key, namespace, machineDeployment }: PoolScope,
  type: ResourceType<MachineTemplate>,
  current: string,
  { cache, client, signal }: ReconcileContext,
): Promise<void> {
  const sets = cache.list(capiv1beta1.machinesets, namespace).filter((set) => isMadeFor(set, key));
  // Without any set nothing was made of the templates yet.
  if (sets.length === 0) return;
  const used = new Set([current, machineDeployment?.spec.template.spec.infrastructureRef.name]);
  for (const set of sets) used.add(set.spec.template?.spec.infrastructureRef.name);
  for (const { metadata } of await templatesOf(key, namespace, type, { client, signal }))
    if (!used.has(metadata.name)) {
      await deleteIfPresent<KubeObject>(client, type, { namespace, name: metadata.name ?? '' }, { signal });
    }
}

/** The templates that were made for a pool; none where the provider is not installed. */
export async function templatesOf(
  key: string,
  namespace: string,
  type: ResourceType<MachineTemplate>,
  { client, signal }: Pick<ReconcileContext, 'client' | 'signal'>,
): Promise<readonly MachineTemplate[]> {
  try {
    return (await client.list(type, { namespace, signal })).items.filter((template) => isMadeFor(template, key));
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}
