import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import { namespace, testMachines, testMachineTemplates, type World } from './fixture.ts';

/** Who wrote an object, when, and which version of Cluster API owns it. */
const incidental = new Set([
  'managedFields',
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'generation',
  'observedGeneration',
  'lastTransitionTime',
  'lastUpdated',
  'cluster.x-k8s.io/conversion-data',
]);

/** Everything that the world tells of its machines, without what differs from one run to the next. */
export async function told({ client, hosted }: World): Promise<readonly string[]> {
  const scope = { namespace };
  const sets = (await client.list(capi.machinesets, scope)).items;
  const machines = (await client.list(capi.machines, scope)).items;
  const objects: readonly KubeObject[] = [
    ...(await client.list(capi.machinedeployments, scope)).items,
    ...sets,
    ...machines,
    ...(await client.list(capi.machinehealthchecks, scope)).items,
    ...(await client.list(testMachines, scope)).items,
    ...(await client.list(testMachineTemplates, scope)).items,
    ...(await hosted.list(corev1.nodes)).items.map(
      (node): KubeObject => ({ ...node, status: undefined }) as KubeObject,
    ),
  ];
  const names = new Map<string, string>();
  for (const { metadata } of machines) names.set(metadata.name ?? '', 'MACHINE');
  for (const { metadata } of sets) {
    const revision = metadata.annotations?.['machinedeployment.clusters.x-k8s.io/revision'];
    names.set(metadata.name ?? '', `SET-${revision}`);
    names.set(metadata.labels?.['machine-template-hash'] ?? '-', `HASH-${revision}`);
  }
  const longestFirst = [...names].sort(([a], [b]) => b.length - a.length);
  return objects
    .map((object) => {
      const text = JSON.stringify(ordered(object), undefined, 1);
      return longestFirst
        .reduce((all, [name, word]) => all.replaceAll(name, word), text)
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, 'TIME');
    })
    .sort();
}

/** The same value with sorted keys and conditions, and without what is incidental. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(ordered);
    const typed = items.every((item) => typeof item === 'object' && item !== null && 'type' in item);
    return typed ? items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const isOwner = 'kind' in value && 'name' in value && !('metadata' in value);
  const entries = Object.entries(value)
    .filter(([key]) => !incidental.has(key) && !(isOwner && key === 'apiVersion'))
    .map(([key, inner]) => [key, ordered(inner)] as const)
    .filter(([, inner]) => !isEmpty(inner));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Zeros and empty lists that one side leaves out. */
function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === 0 ||
    (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  );
}
