import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { State } from '../conditions/v1beta1.ts';
import type { BootstrapFacts, InfraMachineFacts } from '../external/contract.ts';

/** What is known about the node of a Machine. */
export type NodeFacts =
  | { readonly known: false; readonly reason: string; readonly message: string }
  | { readonly known: true; readonly node: corev1.Node | undefined };

/** How far the deletion of a Machine has come. */
export interface DeletionProgress {
  readonly reason: string;
  readonly message: string;
  /** v1beta1 conditions that the deletion has reached. */
  readonly states: readonly State[];
  readonly nodeDrainStartTime?: string | undefined;
  readonly waitForNodeVolumeDetachStartTime?: string | undefined;
  readonly requeueAfterMs?: number | undefined;
}

/** Everything the status of a Machine follows from. */
export interface MachineFacts {
  /** Undefined without a bootstrap reference. */
  readonly bootstrap: BootstrapFacts | undefined;
  readonly bootstrapExists: boolean;
  /** Undefined when the infrastructure machine does not exist. */
  readonly infrastructure: InfraMachineFacts | undefined;
  readonly node: NodeFacts;
  /** What differs from what its MachineDeployment wants now; undefined for a Machine without one. */
  readonly notUpToDate: readonly string[] | undefined;
  readonly minReadySeconds: number;
  readonly deletion?: DeletionProgress | undefined;
  readonly nowMs: number;
}
