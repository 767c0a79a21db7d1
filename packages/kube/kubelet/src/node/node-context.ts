import type { Clock, corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import type { EventRecorder, Logger } from '@hypershift-ts/kube-controller';
import type { LogLimits } from '../logs/container-log.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import type { ReferencedObjects } from '../volumes/referenced-objects.ts';
import type { LoopbackAddresses } from './loopback-addresses.ts';

/** What all pods of a node share. */
export interface NodeContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  readonly events: EventRecorder;
  readonly nodeName: string;
  readonly hostIP: string;
  readonly dataDir: string;
  /** Where hostPath volumes begin, on nodes with a disk of their own. */
  readonly hostRoot?: string;
  readonly runtimes: readonly ContainerRuntime[];
  readonly objects: ReferencedObjects;
  readonly addresses: LoopbackAddresses;
  readonly allocatable: Readonly<Record<string, string>>;
  readonly logLimits: LogLimits;
  /** Containers get this long when the kubelet itself stops. */
  readonly shutdownGraceMs: number;
  newContainerId(): string;
  /** The Services whose variables a pod of that namespace gets. */
  services(namespace: string): Promise<readonly corev1.Service[]>;
}
