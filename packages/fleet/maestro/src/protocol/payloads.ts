import type { Condition } from '@hypershift-ts/kube-apimachinery';
import type {
  DeleteOption,
  Manifest,
  ManifestCondition,
  ManifestConfig,
  ManifestWorkSpec,
  ManifestWorkStatus,
} from '../work/manifest-work.ts';

/** The data of spec events. */
export interface ManifestBundle {
  readonly manifests?: readonly Manifest[];
  readonly deleteOption?: DeleteOption;
  readonly manifestConfigs?: readonly ManifestConfig[];
  /** Spelled like this on the wire; `executor` in a ManifestWork. */
  readonly executer?: NonNullable<ManifestWorkSpec['executor']>;
}

/** The data of status events. */
export interface BundleStatus {
  readonly conditions?: readonly Condition[];
  /** A list here; `resourceStatus.manifests` in a ManifestWork. */
  readonly resourceStatus?: readonly ManifestCondition[];
  /** What the status is about; only from a server to its sources. */
  readonly manifestBundle?: ManifestBundle;
}

/** The data of an agent's question for works: all it holds, nothing meaning that everything is wanted. */
export interface HeldVersions {
  readonly resourceVersions: readonly { readonly resourceID: string; readonly resourceVersion: number }[];
}

/** The data of a question for statuses. */
export interface HeldHashes {
  readonly statusHashes: readonly { readonly resourceID: string; readonly statusHash: string }[];
}

export function bundleOf({ workload, deleteOption, manifestConfigs, executor }: ManifestWorkSpec): ManifestBundle {
  return {
    manifests: workload.manifests ?? [],
    ...(deleteOption ? { deleteOption } : {}),
    ...(manifestConfigs ? { manifestConfigs } : {}),
    ...(executor ? { executer: executor } : {}),
  };
}

export function specOf({ manifests = [], deleteOption, manifestConfigs, executer }: ManifestBundle): ManifestWorkSpec {
  return {
    workload: { manifests },
    ...(deleteOption ? { deleteOption } : {}),
    ...(manifestConfigs ? { manifestConfigs } : {}),
    ...(executer ? { executor: executer } : {}),
  };
}

export function bundleStatusOf({ conditions = [], resourceStatus }: ManifestWorkStatus): BundleStatus {
  return { conditions, resourceStatus: resourceStatus?.manifests ?? [] };
}

export function statusOf({ conditions = [], resourceStatus = [] }: BundleStatus): ManifestWorkStatus {
  return { conditions, resourceStatus: { manifests: resourceStatus } };
}
