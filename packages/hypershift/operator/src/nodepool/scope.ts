import type { HostedCluster, NodePool } from '@hypershift-ts/hypershift-api';
import type { InstanceFacts, MachineTemplate, Platform } from '@hypershift-ts/hypershift-platforms';
import type {
  ControlPlaneOperator,
  LookupOptions,
  ReleaseImage,
  ReleaseProvider,
} from '@hypershift-ts/hypershift-release';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import type { PoolReport } from './report.ts';
import type { PoolRollout } from './rollout.ts';

/** What the operator was started with. */
export interface NodePoolOptions {
  readonly releases: ReleaseProvider;
  /** How images are found where registries are replaced or mirrored. */
  readonly lookup?: Pick<LookupOptions, 'registryOverrides' | 'imageMirrors'>;
  /** Image with the control plane operator, where a release lacks it. */
  readonly operatorImage: string;
  /** Unpredictable; tokens are made of it. */
  readonly uuid: () => string;
  /** Feature gate OSStreams: pools may choose the generation of their operating system. */
  readonly osStreams?: boolean;
  /** Machine sizes beyond those that platforms know from their names. */
  readonly instanceFacts?: (pool: NodePool) => Promise<InstanceFacts | undefined>;
}

/** One pool as it was found; steps get this and a client to write with. */
export interface PoolScope {
  readonly pool: NodePool;
  readonly cluster: HostedCluster;
  readonly platform: Platform;
  /** Namespace of the control plane, where everything made for the pool lives. */
  readonly namespace: string;
  /** `namespace/name`, the annotation that leads from what was made back to the pool. */
  readonly key: string;
  readonly machines: readonly capiv1beta1.Machine[];
  readonly machineDeployment: capiv1beta1.MachineDeployment | undefined;
  readonly machineSet: capiv1beta1.MachineSet | undefined;
  readonly report: PoolReport;
  readonly options: NodePoolOptions;
  /** What earlier steps found out. */
  readonly found: Findings;
}

/** Facts that later steps need of earlier ones. */
export interface Findings {
  release?: ReleaseImage;
  controlPlaneOperator?: ControlPlaneOperator;
  pullSecret?: corev1.Secret;
  additionalTrustBundle?: string;
  ignitionCA?: string;
  rollout?: PoolRollout;
  stream?: string;
  tokenSecret?: corev1.Secret;
  template?: MachineTemplate;
}

/** A fact of an earlier step; absent means that the steps are in the wrong order. */
export function known<F extends keyof Findings>(found: Findings, fact: F): NonNullable<Findings[F]> {
  const value = found[fact];
  if (value === undefined || value === null) throw new Error(`${fact} is not known yet`);
  return value as NonNullable<Findings[F]>;
}

/** The pool's namespace and name. */
export const poolKeyOf = ({ metadata }: NodePool) => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name ?? '',
});

export const isInPlace = ({ spec }: NodePool): boolean => spec.management.upgradeType === 'InPlace';

/** Whether the cluster tunes its nodes at all. */
export const hasNodeTuning = ({ spec }: HostedCluster): boolean =>
  !(spec.capabilities?.disabled ?? []).includes('NodeTuning');
