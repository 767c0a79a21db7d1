/** What a pool of nodes asks of its platform. Desired state only, as everywhere in this room. */
import type { HostedCluster, NodePool } from '@hypershift-ts/hypershift-api';
import type { ReleaseImage } from '@hypershift-ts/hypershift-release';
import type { Condition, JsonObject, KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { PlatformCondition, PlatformScope } from './platform.ts';

export interface MachineScope extends PlatformScope {
  readonly pool: NodePool;
  /** The release of the pool. */
  readonly release: ReleaseImage;
  /** RHEL stream of the boot image, for example `rhel-9`. */
  readonly stream: string;
  /** Whether the control plane makes the security group that all workers share. */
  readonly createsSecurityGroup: boolean;
}

/** A provider's template of machines, as found in the API. */
export interface MachineTemplate extends KubeObject {
  readonly spec: JsonObject;
  readonly status?: { readonly capacity?: JsonObject };
}

/** A template as it should be; whoever names it adds name, namespace and owner. */
export interface DesiredTemplate {
  /**
   * Members in the order of the provider's Go types, empty ones left out as Go does: the name of the template is a hash
   * of this JSON, and must be the one upstream gives.
   */
  readonly spec: JsonObject;
  /** What the name is a hash of: the whole spec, or the spec of the machine alone. */
  readonly counted?: 'spec' | 'machine';
  /** Members of `spec.template.spec` whose change needs no new machines, so the name does not count them. */
  readonly uncounted?: readonly string[];
  readonly labels?: { readonly [key: string]: string };
}

/** What the size of a machine means. */
export interface InstanceFacts {
  readonly vCPU: number;
  readonly memoryMiB: number;
  readonly gpu: number;
}

/** The boot image that the release names. */
export interface BootImage {
  /** Message of ValidPlatformImage. */
  readonly message: string;
}

/** Conditions of a pool that only its platform knows. */
export interface PoolConditions {
  readonly stated: readonly PlatformCondition[];
  /** Types that do not apply now. */
  readonly removed: readonly string[];
}

/** How machines that run get settings that need no new machine. */
export interface LiveSettings {
  readonly machines: ResourceType<KubeObject & { readonly spec: JsonObject }>;
  /** Members of the machine's spec as they should be. */
  spec(scope: MachineScope): JsonObject;
}

/** An object beside the template, with the way to reach it. */
export interface CompanionObject {
  readonly type: ResourceType<KubeObject>;
  readonly object: KubeObject;
}

/** A provider's machine, as far as its conditions tell about the pool. */
export interface InfraMachine extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** A condition of the provider's machines that the pool shows for all of them. */
export interface MachineCondition {
  readonly machines: ResourceType<InfraMachine>;
  readonly from: string;
  /** Condition of the pool. */
  readonly to: string;
  /** What the machines should be, for the message. */
  readonly what: string;
}

/** How a platform makes machines. */
export interface MachinePlatform {
  readonly templates: ResourceType<MachineTemplate>;
  /** False where the machines of the cluster come from elsewhere. */
  isManaged(cluster: HostedCluster): boolean;
  /** Throws a PlatformError for what a user must change and PlatformNotReady for what will come by itself. */
  template(scope: MachineScope): DesiredTemplate;
  /** Condition reason while the template cannot be made; absent where the platform has none of its own. */
  readonly invalidTemplateReason?: string;
  /** The boot image, where the platform takes it from the release; undefined when the user chose one. Throws as above. */
  bootImage?(scope: MachineScope): BootImage | undefined;
  conditions?(scope: MachineScope): PoolConditions;
  readonly machineCondition?: MachineCondition;
  /** Annotations that new pools and pools that go to another release get, and templates may depend on. */
  readonly newPoolAnnotations?: { readonly [key: string]: string };
  /** Objects beside the template that machines need, such as an imported image. */
  objects?(scope: MachineScope): readonly CompanionObject[];
  /** Zone of the machines, where Cluster API and not the template says it. */
  failureDomain?(pool: NodePool): string | undefined;
  /** May be taken away by the cloud at any time. */
  isInterruptible?(pool: NodePool): boolean;
  readonly liveSettings?: LiveSettings;
  /** Facts about the machine size the pool asks for; undefined when it is not known here. */
  instanceFacts?(pool: NodePool): InstanceFacts | undefined;
  /** How the user names the size: field and value. */
  instanceType?(pool: NodePool): { readonly field: string; readonly value: string } | undefined;
  /** What `status.platform` of the pool says; absent where the platform has nothing to tell. */
  status?(cluster: HostedCluster): NonNullable<NodePool['status']>['platform'];
  /** An autoscaled pool may have no machine at all. */
  readonly scalesFromZero: boolean;
  /** How long a node may be unhealthy before it is replaced; hardware boots slower than virtual machines. */
  readonly repairTimeout: string;
  /** Machines read their user data again later, so it stays when the rollout is over. */
  readonly keepsUserData: boolean;
  /** Nodes take part in the DaemonSet that spreads the global pull secret. */
  readonly syncsGlobalPullSecret: boolean;
  /** ConfigMap in the control plane namespace whose content becomes part of the payload. */
  readonly cloudConfig?: string;
}

/** Something that will come by itself is not there yet. */
export class PlatformNotReady extends Error {
  override readonly name = 'PlatformNotReady';
  readonly retry = 'backoff';
}
