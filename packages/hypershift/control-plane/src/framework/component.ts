import type { ControlPlaneContext } from './context.ts';
import type { KonnectivityProxy } from './inject/konnectivity.ts';
import type { ProberOptions } from './inject/prober.ts';
import type { TokenMinter } from './inject/token-minter.ts';
import type { Manifest } from './manifest.ts';
import type { PodDeclaration } from './pod.ts';

export type WorkloadKind = 'Deployment' | 'StatefulSet' | 'Job' | 'CronJob';

/** What the framework adds to the pods besides the defaults. */
export interface Injections {
  readonly konnectivity?: KonnectivityProxy | ((context: ControlPlaneContext) => KonnectivityProxy);
  readonly prober?: ProberOptions;
  readonly tokenMinters?: (context: ControlPlaneContext) => readonly TokenMinter[];
  /** Mounts `<name>-service-account-kubeconfig`, a kubeconfig of a service account of the hosted cluster. */
  readonly serviceAccountKubeconfig?: ServiceAccountKubeconfig;
}

/** A kubeconfig of a service account of the hosted cluster; the PKI issues it, the framework mounts it. */
export interface ServiceAccountKubeconfig {
  readonly serviceAccount: { readonly namespace: string; readonly name: string };
  readonly mountPath: string;
  readonly containers: readonly string[];
}

/** What sets a component apart; everything not said comes from the framework. */
export interface ComponentOptions {
  readonly kind?: WorkloadKind;
  readonly pod: (context: ControlPlaneContext) => PodDeclaration;
  /** Labels the pods are selected by; `app: <name>` unless said otherwise. */
  readonly selector?: Readonly<Record<string, string>>;
  /** Fixed number of replicas; absent means the rule of the availability policy. */
  readonly replicas?: number | ((context: ControlPlaneContext) => number | undefined);
  readonly strategy?: 'Recreate';
  readonly dependsOn?: readonly string[];
  readonly enabled?: (context: ControlPlaneContext) => boolean;
  /** In the path of requests of users or nodes. */
  readonly requestServing?: boolean;
  /** Replicas must be in different zones. */
  readonly zones?: boolean;
  /** May talk to the API server of the management cluster, and therefore gets a service account token. */
  readonly managementKasAccess?: boolean;
  /**
   * Works on after the HostedControlPlane is gone, so its account and rights must not be collected with it: they go
   * with the namespace.
   */
  readonly outlivesControlPlane?: boolean;
  readonly inject?: Injections;
  /** Rollout is complete only when the Deployments this operator makes are at the version too. */
  readonly operands?: boolean;
  /** Objects beside the workload, in the order they are made. */
  readonly manifests?: readonly Manifest[];
  /** Only for StatefulSets. */
  readonly stateful?: (context: ControlPlaneContext) => StatefulOptions;
  /** Only for CronJobs. */
  readonly schedule?: (context: ControlPlaneContext) => string;
  /** Only for Jobs and CronJobs. */
  readonly backoffLimit?: number;
}

export interface StatefulOptions {
  readonly serviceName: string;
  readonly claims: Readonly<Record<string, { readonly size: string; readonly storageClassName?: string }>>;
}

export interface Component extends ComponentOptions {
  readonly name: string;
  readonly kind: WorkloadKind;
  readonly selector: Readonly<Record<string, string>>;
  readonly dependsOn: readonly string[];
  readonly manifests: readonly Manifest[];
}

/** Declares a component of the control plane. */
export function component(name: string, options: ComponentOptions): Component {
  return Object.freeze({
    ...options,
    name,
    kind: options.kind ?? 'Deployment',
    selector: options.selector ?? { app: name },
    dependsOn: options.dependsOn ?? [],
    manifests: options.manifests ?? [],
  });
}

export function isEnabled(one: Component, context: ControlPlaneContext): boolean {
  return one.enabled?.(context) ?? true;
}
