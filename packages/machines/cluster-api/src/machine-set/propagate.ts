import type { ReconcileContext } from '@hypershift-ts/kube-controller';
import { applyIfChanged } from '@hypershift-ts/kube-controller';
import type { ExternalObjects } from '../external/external-objects.ts';
import * as capi from '../generated/capiv1beta1.ts';
import { labels } from '../keys.ts';
import { keyOfObject } from '../upkeep.ts';
import { fieldManager } from './create.ts';
import { birthOf, desiredMachine, machineMetadata } from './desired-machine.ts';

/** For which version of their set Machines are known to be as wanted, so that a thousand of them cost one look each. */
const settled = new WeakMap<capi.Machine, string>();

const versionOf = ({ metadata }: capi.MachineSet) =>
  `${metadata.uid} ${metadata.generation} ${metadata.labels?.[labels.deploymentName] ?? ''}`;

/** Labels, annotations, timeouts and the like reach existing Machines without replacing them. */
export async function propagateInPlace(
  set: capi.MachineSet,
  machines: readonly capi.Machine[],
  external: ExternalObjects,
  context: ReconcileContext,
): Promise<readonly capi.Machine[]> {
  const version = versionOf(set);
  const result: capi.Machine[] = [];
  for (const machine of machines) {
    if (settled.get(machine) === version) {
      result.push(machine);
      continue;
    }
    if (machine.metadata.deletionTimestamp) {
      const told = await tellTimeouts(set, machine, context);
      settled.set(told, version);
      result.push(told);
      continue;
    }
    const desired = desiredMachine(set, machine.metadata.name ?? '', birthOf(machine));
    const { object } = await applyIfChanged(context.client, capi.machines, desired, { fieldManager, live: machine });
    await labelInfrastructure(set, object, external, context);
    settled.set(object, version);
    result.push(object);
  }
  return result;
}

/** Of a Machine that leaves only its patience may still change: that is how a stuck deletion is helped along. */
async function tellTimeouts(
  set: capi.MachineSet,
  machine: capi.Machine,
  { client }: ReconcileContext,
): Promise<capi.Machine> {
  const template = set.spec.template?.spec;
  const names = ['nodeDrainTimeout', 'nodeVolumeDetachTimeout', 'nodeDeletionTimeout'] as const;
  const changed = names.filter((name) => machine.spec[name] !== template?.[name]);
  if (changed.length === 0) return machine;
  const spec = Object.fromEntries(changed.map((name) => [name, template?.[name] ?? null]));
  return client.patch(capi.machines, keyOfObject(machine), { type: 'merge', body: { spec } });
}

/** The provider's object gets the same labels and annotations; what it has beyond them stays. */
async function labelInfrastructure(
  set: capi.MachineSet,
  machine: capi.Machine,
  external: ExternalObjects,
  { client, signal }: ReconcileContext,
): Promise<void> {
  const { type, object } = await external.find(machine.spec.infrastructureRef, signal);
  if (!type || !object || object.metadata.deletionTimestamp) return;
  const wanted = machineMetadata(set);
  const missing = (have: { readonly [key: string]: string } | undefined, want: { readonly [key: string]: string }) =>
    Object.entries(want).filter(([key, value]) => have?.[key] !== value);
  const lacking = missing(object.metadata.labels, wanted.labels);
  const unsaid = missing(object.metadata.annotations, wanted.annotations);
  if (lacking.length + unsaid.length === 0) return;
  const metadata = { labels: Object.fromEntries(lacking), annotations: Object.fromEntries(unsaid) };
  await client.patch(type, keyOfObject(object), { type: 'merge', body: { metadata } });
}
