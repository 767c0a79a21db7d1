import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { platformConversion } from '../conversion/platforms.ts';
import { arbitrary } from './arbitrary.ts';
import type { PlatformCase } from './platforms/index.ts';
import type { Random } from './random.ts';

/** The fields of a draft that are not undefined. */
function given<T extends object>(draft: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined)) as never;
}

const maybe = <T>(random: Random, make: () => T): T | undefined => (random.boolean() ? make() : undefined);
const filled = <T extends object>(value: T): T | undefined => (Object.keys(value).length > 0 ? value : undefined);

const hooks = (random: Random) =>
  filled(given({ preDrain: filled(hookList(random)), preTerminate: filled(hookList(random)) }));

/** Annotations have no order, so hooks come back in that of their names. */
const hookList = (random: Random) =>
  [...new Set(random.some(() => random.word()))].sort().map((name) => ({ name, owner: random.word() }));

const addresses = (random: Random) =>
  filled(
    random.some(() => ({
      type: random.pick(['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS'] as const),
      address: random.word(),
    })),
  );

/** Machine specs of the Machine API that survive: what goes to the node stands in both places already. */
export function arbitraryMachineApiSpec(
  { name, providerSpec: { base, hints } }: PlatformCase,
  random: Random,
): {
  readonly metadata: { readonly labels: object; readonly annotations?: object };
  readonly spec: mapiv1beta1.MachineSpec;
} {
  const role = maybe(random, () => random.word());
  const labels = random.map();
  const annotations = filled(random.map());
  const roleLabels = role
    ? {
        'machine.openshift.io/cluster-api-machine-role': role,
        'machine.openshift.io/cluster-api-machine-type': role,
      }
    : {};
  const value = { ...base, ...arbitrary(platformConversion(name)!.providerSpec, random, hints) };
  const node = given({
    labels: filled({ ...labels, ...(role ? { [`node-role.kubernetes.io/${role}`]: '' } : {}) }),
    annotations,
  });
  return {
    metadata: { labels: { ...labels, ...roleLabels }, ...given({ annotations }) },
    spec: given({
      lifecycleHooks: hooks(random),
      metadata: filled(node),
      providerSpec: { value },
    }) as mapiv1beta1.MachineSpec,
  };
}

export function arbitraryMachineApiStatus(random: Random): mapiv1beta1.MachineStatus {
  return given({
    addresses: addresses(random),
    errorMessage: maybe(random, () => random.word()),
    errorReason: maybe(random, () => 'CreateError'),
    lastUpdated: maybe(random, () => '2026-02-03T04:05:06Z'),
    nodeRef: maybe(random, () => ({ kind: 'Node', apiVersion: 'v1', name: random.word() })),
    phase: maybe(random, () => random.pick(['Failed', 'Provisioning', 'Provisioned', 'Running', 'Deleting'])),
  });
}

/** Machine specs of Cluster API that survive, with the spec of the InfraMachine beside them. */
export function arbitraryClusterApiSpec(
  { name, infraSpec: { base, hints }, variants = [{}], failureDomains }: PlatformCase,
  random: Random,
): {
  readonly metadata: { readonly labels: { [key: string]: string }; readonly annotations?: { [key: string]: string } };
  readonly spec: capiv1beta2.MachineSpec;
  readonly infraSpec: object;
} {
  const role = maybe(random, () => random.word());
  const annotations = filled({
    ...random.map(),
    ...(random.boolean() ? { 'cluster.x-k8s.io/delete-machine': random.word() } : {}),
    ...(random.boolean() ? { [`pre-drain.delete.hook.machine.cluster.x-k8s.io/${random.word()}`]: 'owner' } : {}),
  });
  const failureDomain = failureDomains ? failureDomains[0] : maybe(random, () => random.word());
  const infraSpec = {
    ...base,
    ...arbitrary(platformConversion(name)!.infraSpec, random, hints),
    ...random.pick(variants),
  };
  const { userData } = infraSpec as { readonly userData?: { readonly name: string } };
  return {
    metadata: {
      labels: {
        ...random.map(),
        ...(role ? { [`node-role.kubernetes.io/${role}`]: '' } : {}),
        'cluster.x-k8s.io/cluster-name': 'prod-x7k2p',
      },
      ...given({ annotations }),
    },
    spec: given({
      clusterName: 'prod-x7k2p',
      bootstrap: given({ dataSecretName: userData?.name ?? maybe(random, () => random.word()) }),
      failureDomain,
      deletion: { nodeDeletionTimeoutSeconds: 10 },
    }) as capiv1beta2.MachineSpec,
    infraSpec,
  };
}

export function arbitraryClusterApiStatus(random: Random): capiv1beta2.MachineStatus {
  return given({
    addresses: addresses(random),
    lastUpdated: maybe(random, () => '2026-02-03T04:05:06Z'),
    nodeRef: maybe(random, () => ({ name: random.word() })),
    phase: maybe(random, () => random.pick(['Failed', 'Provisioning', 'Provisioned', 'Running', 'Deleting'] as const)),
  });
}
