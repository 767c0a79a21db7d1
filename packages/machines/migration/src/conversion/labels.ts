import { clusterApi, machineApi, nodeRolePrefix } from './names.ts';

export type Strings = { readonly [key: string]: string };

const { role, type, instanceType, region, zone } = machineApi.labels;

/** Columns of `kubectl get machines`: the Machine API derives them again from the provider spec. */
const derived: ReadonlySet<string> = new Set([instanceType, region, zone]);

/** Belongs to Cluster API, which sets it anew on its own objects. */
export const ofClusterApi = (key: string): boolean => key.includes('cluster.x-k8s.io/');

/** Labels of the Machine API as Cluster API spells them: the role of a machine is the role of its node. */
export function labelsToClusterApi(labels: Strings = {}): Strings {
  const entries = Object.entries(labels)
    .filter(([key]) => !derived.has(key))
    .map(([key, value]) => (key === role || key === type ? [nodeRolePrefix + value, ''] : [key, value]));
  return Object.fromEntries(entries);
}

/** The label by which Cluster API knows members of the control plane; load balancers are found by it on the way back. */
export function controlPlaneLabel(labels: Strings = {}): Strings {
  return labels[role] === 'master' ? { [clusterApi.labels.controlPlane]: '' } : {};
}

/** Labels of Cluster API as the Machine API spells them. Of several roles the last in alphabetical order counts. */
export function labelsToMachineApi(labels: Strings = {}): Strings {
  const converted: { [key: string]: string } = {};
  for (const [key, value] of Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (key.startsWith(nodeRolePrefix)) {
      const named = key.slice(nodeRolePrefix.length);
      converted[role] = named;
      converted[type] = named;
    } else if (!ofClusterApi(key)) converted[key] = value;
  }
  return converted;
}

/** What the Machine API copies to the node: everything but what belongs to Cluster API. */
export function nodeMetadata(entries: Strings = {}): Strings {
  return Object.fromEntries(Object.entries(entries).filter(([key]) => !ofClusterApi(key)));
}

/** The map, or undefined where it is empty: nobody writes empty maps. */
export function unlessEmpty<T extends object>(entries: T): T | undefined {
  return Object.keys(entries).length > 0 ? entries : undefined;
}
