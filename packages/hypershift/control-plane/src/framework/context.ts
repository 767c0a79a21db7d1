import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import type { ComponentImages, ReleaseImage } from '@hypershift-ts/hypershift-release';
import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';

/** What exists in the control plane's namespace, answered from memory; builders stay pure and synchronous. */
export interface Lookup {
  get<T extends KubeObject>(type: ResourceType<T>, name: string): T | undefined;
  list<T extends KubeObject>(type: ResourceType<T>): readonly T[];
  /** Another number than before when anything of this type may be different; undefined where nobody counts. */
  changes?(type: ResourceType<KubeObject>): number | undefined;
}

/** Where clients and nodes find the published services; undefined until known. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export interface PublishedEndpoints {
  readonly api?: Endpoint;
  readonly konnectivity?: Endpoint;
  readonly oauth?: Endpoint;
}

/** What components must know about the management cluster. */
export interface ManagementCluster {
  /** Minor of its Kubernetes version, such as 33. */
  readonly kubernetesMinor: number;
  /** Whether an optional kind (Route, ServiceMonitor, ...) is installed. */
  serves(type: ResourceType<KubeObject>): boolean;
  /** OpenShift assigns user ids by itself, so pods must not ask for one. */
  readonly assignsUserIds: boolean;
}

/** Settings the operator's process got from its environment. */
export interface OperatorSettings {
  readonly registryOverrides?: Readonly<Record<string, string>>;
  readonly openshiftImageOverrides?: string;
  readonly certRotationScale?: string;
  readonly defaultSecurityContextUid?: number;
  readonly metricsSet?: string;
  readonly featureSet?: string;
  /** The managed service the operator belongs to: `ARO-HCP` or `ROSA-HCP`. */
  readonly managedService?: string;
  readonly enableCiDebugOutput?: boolean;
  /** How long leaf certificates live, such as `8760h`; a year when absent. */
  readonly certificateValidity?: string;
  /** Share of that time in percent that must be left before they are renewed. */
  readonly certificateRenewalPercentage?: string;
  /** Source of secrets that are made once; the operating system's unless a test wants to know them. */
  readonly random?: (size: number) => Uint8Array;
}

/** Where an OpenID provider is reached. */
export interface OpenIdEndpoints {
  readonly authorize: string;
  readonly token: string;
  readonly userInfo?: string;
}

/** Everything a component may look at. One per reconcile; nothing in it changes while components are built. */
export interface ControlPlaneContext {
  readonly hcp: HostedControlPlane;
  readonly namespace: string;
  /** Images of the components on the management cluster. */
  readonly images: ComponentImages;
  /** The release the hosted cluster's own operators should run; equal to the other one most of the time. */
  readonly userRelease: ReleaseImage;
  readonly endpoints: PublishedEndpoints;
  readonly management: ManagementCluster;
  readonly settings: OperatorSettings;
  readonly lookup: Lookup;
  /** What OpenID issuers published about themselves, or why that is not known. */
  readonly openIdEndpoints?: Readonly<Record<string, OpenIdEndpoints | Error>>;
}

/** The version components must reach. */
export function desiredVersion(context: ControlPlaneContext): string {
  return context.images.release.version;
}

/**
 * Whether the images understand OpenShift's own arguments and contain a shell. The embedded catalogue's do not: its
 * kube-apiserver takes upstream's flags and its containers are single programs.
 */
export function isOpenShiftPayload(context: ControlPlaneContext): boolean {
  return context.images.release.source === 'registry';
}

export function isHighlyAvailable({ hcp }: ControlPlaneContext): boolean {
  return hcp.spec.controllerAvailabilityPolicy === 'HighlyAvailable';
}

export function annotationOf({ hcp }: ControlPlaneContext, key: string): string | undefined {
  return hcp.metadata.annotations?.[key];
}

/** The release image that pods are marked with and that the version history records. */
export function releaseImageOf({ hcp }: ControlPlaneContext): string {
  return hcp.spec.controlPlaneReleaseImage ?? hcp.spec.releaseImage;
}

/** `from=to,...` as the operators take it on the command line, sorted so that it never rolls pods by itself. */
export function overridesText(overrides: Readonly<Record<string, string>> | undefined): string {
  return Object.entries(overrides ?? {})
    .map(([from, to]) => `${from}=${to}`)
    .sort()
    .join(',');
}
