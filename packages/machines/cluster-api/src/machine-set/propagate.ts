import type { Client } from '@hypershift-ts/kube-client';
import { applyIfChanged } from '@hypershift-ts/kube-controller';
import * as capi from '../generated/capiv1beta1.ts';
import { labels } from '../keys.ts';
import { fieldManager } from './create.ts';
import { birthOf, desiredMachine } from './desired-machine.ts';

/** For which version of their set Machines are known to be as wanted, so that a thousand of them cost one look each. */
const settled = new WeakMap<capi.Machine, string>();

const versionOf = ({ metadata }: capi.MachineSet) =>
  `${metadata.uid} ${metadata.generation} ${metadata.labels?.[labels.deploymentName] ?? ''}`;

/** Labels, annotations, timeouts and the like reach existing Machines without replacing them. */
export async function propagateInPlace(
  client: Client,
  set: capi.MachineSet,
  machines: readonly capi.Machine[],
): Promise<readonly capi.Machine[]> {
  const version = versionOf(set);
  const result: capi.Machine[] = [];
  for (const machine of machines) {
    if (machine.metadata.deletionTimestamp || settled.get(machine) === version) {
      result.push(machine);
      continue;
    }
    const desired = desiredMachine(set, machine.metadata.name ?? '', birthOf(machine));
    const { object } = await applyIfChanged(client, capi.machines, desired, { fieldManager, live: machine });
    settled.set(object, version);
    result.push(object);
  }
  return result;
}
