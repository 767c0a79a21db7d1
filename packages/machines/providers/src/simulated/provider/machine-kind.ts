import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { InfrastructureProvider } from '../../crds.ts';
import type { InstanceState } from '../cloud/instance.ts';
import type { InstanceShape } from '../cloud/instance-shape.ts';
import type { InfraMachine, OwnerMachine } from './capi-objects.ts';

/** Where a machine's cluster is, as far as its infrastructure cluster says. */
export interface ClusterPlace {
  readonly region?: string;
  readonly project?: string;
  readonly subscription?: string;
  readonly resourceGroup?: string;
}

/** What an infrastructure machine asks for, in one language for all clouds. */
export interface MachineWish {
  readonly instanceType: string;
  readonly shape: InstanceShape | undefined;
  readonly zone?: string;
  readonly region?: string;
  readonly image?: string;
  readonly diskGiB?: number;
  readonly isSpot?: boolean;
}

/** Everything in which one cloud's machines differ from another's. */
export interface MachineKind {
  readonly provider: InfrastructureProvider;
  readonly type: ResourceType<InfraMachine>;
  /** The kind of its cluster. */
  readonly clusterType: ResourceType<KubeObject>;
  /** The kind of its templates, where they tell how large a machine would be, and what else they tell about it. */
  readonly template?: {
    readonly type: ResourceType<KubeObject>;
    readonly nodeInfo: readonly ('architecture' | 'operatingSystem')[];
  };
  readonly finalizer: string;
  /** The condition that says how the instance is; absent where the kind has no conditions. */
  readonly condition?: { readonly type: string; readonly provisionFailed: string; readonly notReady: string };
  readonly place: (cluster: KubeObject | undefined) => ClusterPlace;
  readonly wish: (machine: InfraMachine, owner: OwnerMachine, place: ClusterPlace) => MachineWish;
  /** The instance's name in the cloud, from 40 hexadecimal digits that belong to this machine alone. */
  readonly instanceId: (digits: string, machine: InfraMachine) => string;
  readonly providerID: (id: string, machine: InfraMachine, wish: MachineWish, place: ClusterPlace) => string;
  /** The node's name; the machine's own when absent. */
  readonly nodeName?: (address: string, wish: MachineWish) => string;
  readonly unknownType: (wish: MachineWish) => string;
  readonly noCapacity: (wish: MachineWish) => string;
  /** Further status fields. */
  readonly status?: (id: string, state: InstanceState, wish: MachineWish) => Readonly<Record<string, unknown>>;
}

/** A text field anywhere in a spec; undefined when it is not text. */
export function textIn(object: unknown, ...path: readonly string[]): string | undefined {
  const value = valueIn(object, path);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberIn(object: unknown, ...path: readonly string[]): number | undefined {
  const value = valueIn(object, path);
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function valueIn(object: unknown, path: readonly string[]): unknown {
  let value = object;
  for (const field of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) return undefined;
    value = (value as Record<string, unknown>)[field];
  }
  return value;
}

/** Only what is there. */
export function defined<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never;
}
