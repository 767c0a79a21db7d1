import type { HostedCluster, HostedControlPlane, NodePool } from '@hypershift-ts/hypershift-api';
import type { Version } from '@hypershift-ts/hypershift-release';
import type {
  Condition,
  corev1,
  FieldError,
  KubeObject,
  ObjectKey,
  rbacv1,
  ResourceType,
} from '@hypershift-ts/kube-apimachinery';
import type { CloudCleanUp, CloudTask, PrivateLink } from './cloud-account.ts';
import type { MachinePlatform } from './machines.ts';
import type { GuestSide } from './guest.ts';

export type PlatformType = HostedCluster['spec']['platform']['type'];

/** What surrounds one hosted cluster, as far as any platform wants to know. */
export interface PlatformScope {
  readonly cluster: HostedCluster;
  /** Namespace of the control plane. */
  readonly namespace: string;
}

/** Where clients reach the API server; absent while unknown. */
export interface ApiEndpoint {
  readonly host: string;
  readonly port: number;
}

export interface InfraScope extends PlatformScope {
  readonly endpoint: ApiEndpoint;
  /** NodePools of the cluster. */
  readonly nodePools: readonly NodePool[];
  /** Whether the operator runs as part of ARO, whose identities live in a Key Vault. */
  readonly managedAzure?: boolean;
}

/** What a platform wants in Cluster API. */
export interface Infrastructure {
  /** What the Cluster refers to. */
  readonly cluster: UnstructuredInfra;
  /** What must exist before it. */
  readonly before: readonly UnstructuredInfra[];
}

/** A provider's object; `status` is written too, through the subresource, where the platform reports itself ready. */
export interface UnstructuredInfra extends KubeObject {
  readonly spec: object;
  readonly status?: { readonly ready: boolean };
}

export interface ProviderScope extends PlatformScope {
  readonly hostedControlPlane?: HostedControlPlane | undefined;
  /** Version of the control plane's release; undefined while it could not be read. */
  readonly version?: Version | undefined;
  /** Images of the release, by component name. */
  readonly image: (component: string) => string | undefined;
  /** Provider images the operator was given, by platform, which win over the release. */
  readonly providerImages?: { readonly [type in PlatformType]?: string };
  /** Image with the token minter. */
  readonly utilitiesImage: string;
  readonly managedAzure?: { readonly keyVaultClientID: string } | undefined;
}

/** The provider Deployment as far as the platform decides; names, labels and selectors are the same everywhere. */
export interface ProviderDeployment {
  readonly replicas: number;
  readonly podSpec: corev1.PodSpec;
}

/** A Secret of the user the platform reads, by what it is for. */
export interface SourceSecret {
  readonly name: string;
  readonly field: string;
}

export interface CredentialScope extends PlatformScope {
  /** The Secrets `sourceSecrets` asked for, by name; a name that is not there does not exist. */
  readonly secrets: ReadonlyMap<string, corev1.Secret>;
  readonly managedAzure?: boolean;
}

/** What is known about a machine that is going away. */
export interface DeletingMachine extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** How machines are let go when the cloud can no longer be asked to delete them. */
export interface OrphanHandling {
  readonly machines: ResourceType<DeletingMachine>;
  /** Finalizers to leave on the machine; undefined while its deletion should go on. */
  release(cluster: HostedCluster, machine: DeletingMachine, now: Date): readonly string[] | undefined;
}

/** What the control plane needs to run this platform's cloud controller manager. */
export interface CloudControllerManager {
  /** Name of the component and of its ControlPlaneComponent. */
  readonly component: string;
  /** Component of the release that holds the image. */
  readonly image: string;
  readonly cloudProvider: string;
  /** Secret with its credentials in the control plane namespace, where it has some. */
  readonly credentials?: (hcp: HostedControlPlane) => string;
  /** Service account in the hosted cluster a token is minted for. */
  readonly tokenServiceAccount?: { readonly namespace: string; readonly name: string };
}

/** The object a cloud controller manager reads its settings from. */
export interface CloudProviderConfig {
  readonly name: string;
  readonly kind: 'ConfigMap' | 'Secret';
  readonly data: { readonly [key: string]: string };
}

/** One flag of `create cluster <platform>`. */
export interface PlatformFlag {
  readonly name: string;
  readonly value: 'string' | 'strings' | 'boolean' | 'integer' | 'duration' | 'path';
  readonly description: string;
  readonly default?: string | number | boolean;
  readonly required?: true;
  readonly choices?: readonly string[];
}

/** What differs between platforms in rules that belong to nobody else. */
export interface PlatformTraits {
  /** `spec.platform.type` in the HostedControlPlane. */
  readonly controlPlaneType: PlatformType;
  /** Port of the API server pods. */
  readonly apiServerPort: number;
  /** A router of its own in front of private endpoints. */
  readonly privateRouter: boolean;
  /** Pods are kept away from the API server of the management cluster. */
  readonly managementKasPolicy: boolean;
  /** Virtual machines run beside the control plane. */
  readonly virtLaunchers: boolean;
  /** Private connectivity objects of the control plane namespace whose conditions the HostedCluster shows. */
  readonly privateConnectivity?: {
    readonly type: ResourceType<PrivateConnectivity>;
    /** HostedCluster condition to condition of those objects. */
    readonly conditions: { readonly [type: string]: string };
    /** Whether the HostedCluster shows these conditions while there is no such object. */
    readonly isExpected: (cluster: HostedCluster) => boolean;
  };
  /** OpenID documents are uploaded for the cloud to trust the cluster. */
  readonly publishesOidcDocuments: boolean;
  /** Conditions taken from the HostedControlPlane where it has them. */
  readonly bubbledConditions: readonly string[];
}

export interface PrivateConnectivity extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** A condition the platform decides while writing credentials. */
export type PlatformCondition = Omit<Condition, 'lastTransitionTime' | 'observedGeneration'>;

/** Everything that depends on where the nodes of a hosted cluster live. Desired state only; nobody here calls an API. */
export interface Platform {
  readonly type: PlatformType;
  readonly traits: PlatformTraits;
  /** The infrastructure objects, or undefined when there are none or not yet. */
  infrastructure(scope: InfraScope): Infrastructure | undefined;
  /** The provider to run, or undefined on platforms without machines. */
  provider(scope: ProviderScope): ProviderDeployment | undefined;
  /** Rules of the provider beyond those every provider has. */
  readonly policyRules: readonly rbacv1.PolicyRule[];
  /** Secrets beside the HostedCluster that credentials are made from. */
  sourceSecrets(cluster: HostedCluster): readonly SourceSecret[];
  /** Objects that give the control plane access to the cloud. Throws a PlatformError when it cannot be had. */
  credentials(scope: CredentialScope): readonly KubeObject[];
  /** Conditions about credentials, given whether they could be made. */
  credentialConditions(cluster: HostedCluster, failure: unknown): readonly PlatformCondition[];
  /** Objects outside the control plane namespace that must be removed with the cluster. */
  credentialsOutside(
    scope: PlatformScope,
  ): readonly { readonly type: ResourceType<KubeObject>; readonly key: ObjectKey }[];
  /** Objects for encryption with a key service; asked only when `secretEncryption.type` is `kms`. */
  keyService(scope: CredentialScope): readonly KubeObject[];
  /** Whether nodes reach the API server through a private endpoint, which may exist beside a public one. */
  isPrivate(cluster: HostedCluster): boolean;
  /** What the control plane has the cloud do or answer, each with a condition of the HostedControlPlane. */
  readonly cloudTasks: readonly CloudTask[];
  /** What is taken back from the cloud when the control plane goes and its resources are to go with it. */
  readonly cloudCleanUp?: CloudCleanUp;
  /** How the objects of `traits.privateConnectivity` come about; absent where nobody makes them. */
  readonly privateLink?: PrivateLink;
  /** How machines are made; absent where nobody makes any. */
  readonly machines?: MachinePlatform;
  readonly orphans?: OrphanHandling;
  readonly cloudControllerManager?: CloudControllerManager;
  /** Settings for the cloud controller manager; empty without one. */
  cloudProviderConfig(
    hcp: HostedControlPlane,
    credentials?: ReadonlyMap<string, corev1.Secret>,
  ): readonly CloudProviderConfig[];
  /** What is wrong with the settings beyond what the CRD and the general checks find. */
  validate(cluster: HostedCluster): readonly FieldError[];
  readonly flags: readonly PlatformFlag[];
  /** What the platform means inside the hosted cluster. */
  readonly guest: GuestSide;
}
