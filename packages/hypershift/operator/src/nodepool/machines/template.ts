/** The machine template of a pool in the words of its provider. */
import { goJson, machineTemplateName } from '@hypershift-ts/hypershift-ignition';
import type { DesiredTemplate, MachineTemplate } from '@hypershift-ts/hypershift-platforms';
import { isNotFound, type JsonObject, jsonEqual, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import { createOrUpdate, deleteIfPresent, type ReconcileContext, type Upserted } from '@hypershift-ts/kube-controller';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { madeForPool } from '../indexes.ts';
import { isMadeFor } from '../load.ts';
import { isInPlace, type PoolScope } from '../scope.ts';
import { stated } from '../upsert-seen.ts';
import { belongsToPool } from './names.ts';

/** The spec as far as it decides what a machine is. */
function countedSpec({ spec, counted, uncounted = [] }: DesiredTemplate): JsonObject {
  const { template, ...rest } = spec as { readonly template?: JsonObject };
  const { spec: machine, ...meta } = (template ?? {}) as { readonly spec?: JsonObject };
  const left = Object.fromEntries(Object.entries(machine ?? {}).filter(([key]) => !uncounted.includes(key)));
  return counted === 'machine' ? left : { ...rest, template: { ...meta, spec: left } };
}

/** The name that a template of this content has. */
export const templateName = (pool: string, desired: DesiredTemplate): string =>
  machineTemplateName(pool, goJson(countedSpec(desired)));

/** Name of the template that the machines of the pool are made from now. */
function referencedName(
  { pool, machineDeployment, machineSet }: PoolScope,
  type: ResourceType<MachineTemplate>,
): string | undefined {
  const reference = (isInPlace(pool) ? machineSet : machineDeployment)?.spec.template?.spec.infrastructureRef;
  return reference?.kind === type.kind ? reference.name : undefined;
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

/** Writes the template and answers it; one of those that exist, is in use and says the same keeps its name. */
export async function ensureTemplate(
  scope: PoolScope,
  type: ResourceType<MachineTemplate>,
  desired: DesiredTemplate,
  existing: readonly MachineTemplate[],
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
  const used = existing.find(({ metadata }) => metadata.name === referencedName(scope, type));
  const isSame =
    used !== undefined &&
    (used.metadata.name === own || (await saysTheSame(used, desired, object(own), type, context)));
  const name = isSame ? (used.metadata.name ?? own) : own;
  const live = existing.find(({ metadata }) => metadata.name === name) ?? null;
  const { client, signal } = context;
  const written = (found: MachineTemplate | undefined) => stated(found, object(name));
  return createOrUpdate(client, type, { namespace, name }, written, { live, signal });
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
  existing: readonly MachineTemplate[],
  { cache, client, signal }: ReconcileContext,
): Promise<void> {
  const sets = madeForPool(capiv1beta1.machinesets, key, namespace, cache);
  // Without any set nothing was made of the templates yet.
  if (sets.length === 0) return;
  const used = new Set([current, machineDeployment?.spec.template.spec.infrastructureRef.name]);
  for (const set of sets) used.add(set.spec.template?.spec.infrastructureRef.name);
  for (const live of existing)
    if (!used.has(live.metadata.name))
      await deleteIfPresent(client, type, { namespace, name: live.metadata.name ?? '' }, { live, signal });
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
