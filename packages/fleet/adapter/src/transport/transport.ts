import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { PropagationPolicy } from '../config/task-config.ts';

export type Operation = 'create' | 'update' | 'recreate' | 'skip' | 'delete';

export interface ApplyRequest {
  readonly manifest: UnstructuredObject;
  /** Delete and create again instead of updating. */
  readonly recreateOnChange?: boolean;
  /** The cluster that the manifest is meant for, where the transport reaches several. */
  readonly targetCluster?: string;
}

export interface ApplyOutcome {
  readonly operation: Exclude<Operation, 'delete'>;
  readonly reason: string;
}

/** Which object to look for: one by name, or the newest of those with the labels. */
export interface DiscoveryQuery {
  readonly apiVersion: string;
  readonly kind: string;
  /** `*` or absent: all namespaces. */
  readonly namespace?: string;
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly targetCluster?: string;
}

export interface DeleteRequest {
  readonly object: UnstructuredObject;
  readonly propagationPolicy: PropagationPolicy;
  readonly targetCluster?: string;
}

/** A way to bring objects into a cluster and to see what became of them. */
export interface Transport {
  apply(request: ApplyRequest, signal?: AbortSignal): Promise<ApplyOutcome>;
  /** Undefined when there is none. */
  find(query: DiscoveryQuery, signal?: AbortSignal): Promise<UnstructuredObject | undefined>;
  /** Resolves when the deletion was accepted; the object may still be there for a while. */
  delete(request: DeleteRequest, signal?: AbortSignal): Promise<void>;
}
