import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { ofClusterApi, type Strings, unlessEmpty } from './labels.ts';
import { clusterApi, machineApi } from './names.ts';

type LifecycleHooks = NonNullable<mapiv1beta1.MachineSpec['lifecycleHooks']>;
type Hook = NonNullable<LifecycleHooks['preDrain']>[number];

/** Annotations with a counterpart of another name: the value stays. A trailing `*` keeps what follows. */
const renamed: readonly (readonly [machineApi: string, clusterApi: string])[] = [
  [machineApi.annotations.deleteMachine, clusterApi.annotations.deleteMachine],
  // The autoscaler looks for its bounds under the group of the set that it scales, so they follow the authority.
  [
    'machine.openshift.io/cluster-api-autoscaler-node-group-min-size',
    'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size',
  ],
  [
    'machine.openshift.io/cluster-api-autoscaler-node-group-max-size',
    'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size',
  ],
  ['machine.openshift.io/autoscaling-options-*', 'cluster.x-k8s.io/autoscaling-options-*'],
];

function rename(key: string, from: 0 | 1): string | undefined {
  for (const pair of renamed) {
    const old = pair[from];
    const counterpart = pair[from === 0 ? 1 : 0];
    if (key === old) return counterpart;
    if (old.endsWith('*') && key.startsWith(old.slice(0, -1)))
      return counterpart.slice(0, -1) + key.slice(old.length - 1);
  }
  return undefined;
}

/** Annotations of the Machine API as Cluster API spells them. */
export function annotationsToClusterApi(annotations: Strings = {}): Strings {
  return Object.fromEntries(
    Object.entries(annotations)
      .filter(([key]) => key !== machineApi.annotations.instanceState)
      .map(([key, value]) => [rename(key, 0) ?? key, value]),
  );
}

/** Annotations of Cluster API as the Machine API spells them; hooks are fields there. */
export function annotationsToMachineApi(annotations: Strings = {}): Strings {
  return Object.fromEntries(
    Object.entries(annotations)
      .map(([key, value]) => [rename(key, 1) ?? key, value] as const)
      .filter(([key]) => !ofClusterApi(key)),
  );
}

/** Lifecycle hooks are annotations in Cluster API. */
export function hooksToAnnotations({ preDrain = [], preTerminate = [] }: LifecycleHooks = {}): Strings {
  return Object.fromEntries([
    ...preDrain.map(({ name, owner }) => [clusterApi.annotations.preDrain + name, owner]),
    ...preTerminate.map(({ name, owner }) => [clusterApi.annotations.preTerminate + name, owner]),
  ]);
}

/** The hooks that annotations speak of, in alphabetical order: annotations have none of their own. */
export function hooksFromAnnotations(annotations: Strings = {}): LifecycleHooks | undefined {
  const found = (prefix: string): readonly Hook[] =>
    Object.entries(annotations)
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, owner]) => ({ name: key.slice(prefix.length), owner }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  const preDrain = found(clusterApi.annotations.preDrain);
  const preTerminate = found(clusterApi.annotations.preTerminate);
  return unlessEmpty({
    ...(preDrain.length > 0 ? { preDrain } : {}),
    ...(preTerminate.length > 0 ? { preTerminate } : {}),
  });
}
