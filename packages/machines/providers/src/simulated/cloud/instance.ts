import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { SimulatedMachine } from '../machine/simulated-machine.ts';
import type { InstanceShape } from './instance-shape.ts';

export type InstanceState = 'pending' | 'running' | 'stopping' | 'stopped' | 'shutting-down' | 'terminated';

/** What somebody wants from the cloud. The same id asks for the same instance, however often. */
export interface InstanceRequest {
  readonly id: string;
  readonly name: string;
  readonly instanceType: string;
  readonly shape: InstanceShape;
  readonly zone?: string;
  readonly region?: string;
  readonly image?: string;
  readonly diskGiB?: number;
  readonly isSpot?: boolean;
  /** What the machine boots with. */
  readonly userData: string;
  /** The name of the node, once the instance has its address. */
  readonly nodeName: (address: string) => string;
  readonly providerID: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** An address it had before; another one when somebody has it. */
  readonly address?: string;
  /** Who the instance is for; handed back to listeners. */
  readonly owner?: { readonly kind: string; readonly namespace: string; readonly name: string };
}

/** A virtual machine of the simulated cloud. */
export interface Instance {
  readonly id: string;
  readonly request: InstanceRequest;
  readonly address: string;
  readonly nodeName: string;
  readonly providerID: string;
  readonly launchedMs: number;
  readonly machine: SimulatedMachine;
  state: InstanceState;
  /** Why it ended, when nobody asked for it. */
  reason?: string;
}

/** The addresses of an instance as machines report them; the internal DNS name is the node's. */
export function addressesOf({ address, nodeName }: Pick<Instance, 'address' | 'nodeName'>): corev1.NodeAddress[] {
  return [
    { type: 'InternalIP', address },
    { type: 'InternalDNS', address: nodeName },
    { type: 'Hostname', address: nodeName },
  ];
}
