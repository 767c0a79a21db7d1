import type { Random } from '@hypershift-ts/kube-apimachinery';
import { randomNameSuffix } from '@hypershift-ts/kube-apimachinery';
import type { MachineSet } from '../generated/capiv1beta1.ts';

/** The longest prefix that leaves room for a dash and five letters in a DNS label's 63. */
const longestPrefix = 57;

const plainName = (set: MachineSet, random: string) => `${(set.metadata.name ?? '').slice(0, longestPrefix)}-${random}`;

/** A name for a new Machine that is not in use. */
export function newMachineName(set: MachineSet, taken: (name: string) => boolean, random: Random): string {
  const template = set.spec.machineNamingStrategy?.template;
  for (;;) {
    const suffix = randomNameSuffix(5, random);
    const name = template ? rendered(template, set, suffix) : plainName(set, suffix);
    if (!taken(name)) return name;
  }
}

/** Cluster API knows three variables; a template without a random part could name one machine only. */
function rendered(template: string, set: MachineSet, random: string): string {
  const variables: { readonly [name: string]: string } = {
    '.cluster.name': set.spec.clusterName,
    '.machineSet.name': set.metadata.name ?? '',
    '.random': random,
  };
  if (!/\{\{-?\s*\.random\s*-?\}\}/.test(template)) return plainName(set, random);
  return template.replaceAll(/\{\{-?\s*([.\w]+)\s*-?\}\}/g, (whole, name: string) => variables[name] ?? whole);
}
