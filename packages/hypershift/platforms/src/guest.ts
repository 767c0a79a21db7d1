import { annotations, type HostedControlPlane } from '@hypershift-ts/hypershift-api';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';

/** A Secret the platform wants in the hosted cluster; values are text. */
export interface GuestSecret {
  readonly namespace: string;
  readonly name: string;
  readonly data: { readonly [key: string]: string };
  /** Part of the cluster that reads it; left out where the cluster goes without that part. */
  readonly capability?: 'Ingress' | 'ImageRegistry';
}

export interface GuestScope {
  readonly hcp: HostedControlPlane;
  /** A Secret in the namespace of the control plane. */
  readonly secret: (name: string) => corev1.Secret | undefined;
}

type FromControlPlane<T> = (hcp: HostedControlPlane) => T;

/** What a platform means inside the hosted cluster. Objects are parts of OpenShift's configuration kinds. */
export interface GuestSide {
  /** `spec` of Infrastructure, beyond the platform's type. */
  readonly infrastructureSpec: FromControlPlane<object>;
  /** `status.platformStatus` of Infrastructure, beyond the platform's type. */
  readonly platformStatus: FromControlPlane<object>;
  /** Nodes may reach the API server through private connectivity. */
  readonly isPrivate: FromControlPlane<boolean>;
  /** What the install configuration says about the platform. */
  readonly installConfig: FromControlPlane<object>;
  /** What differs in `spec` of DNS. */
  readonly dns: FromControlPlane<object>;
  /** How the default router is published. */
  readonly ingressPublishing: FromControlPlane<object>;
  /** What else differs in the default IngressController. */
  readonly ingressController: object;
  /** Whether the control plane makes the certificate of the default router. */
  readonly ingressCertificate: boolean;
  /** Addresses that are reached without a proxy. */
  readonly noProxy: FromControlPlane<readonly string[]>;
  /** Konnectivity agents use the network of their node. */
  readonly agentOnHostNetwork: boolean;
  readonly agentDnsPolicy: FromControlPlane<'Default' | 'ClusterFirst'>;
  /** Path by which pods on the nodes tell that they reach the API server. */
  readonly apiServerProbePath: string;
  /** `spec.defaultNetwork` of the network operator, beyond what the cluster says. */
  readonly defaultNetwork: FromControlPlane<object>;
  /** What the image registry begins with; users change it afterwards. */
  readonly registry: { readonly spec: object; readonly waitsForOperator?: true };
  readonly credentials: (scope: GuestScope) => readonly GuestSecret[];
  /** Settings of the cloud provider that the hosted cluster shows: from which ConfigMap, and under which keys. */
  readonly cloudConfig?: { readonly from: string; readonly keys: { readonly [source: string]: string } };
  /** The API server's pods answer a webhook that gives pods of the hosted cluster their cloud role. */
  readonly podIdentityWebhook?: { readonly name: string; readonly account: string; readonly webhook: object };
  readonly csiDrivers: readonly string[];
  /** Pull secrets of users reach the nodes without a new configuration. */
  readonly syncsPullSecrets: boolean;
  /** The cloud may take machines away, and nodes say so before. */
  readonly interruptsMachines: boolean;
  /** Routers are reached through Services beside the control plane. */
  readonly ingressPassthrough: boolean;
}

/** A platform that means nothing special; others state their difference. */
export function guestSide(own: Partial<GuestSide> = {}): GuestSide {
  return {
    infrastructureSpec: () => ({}),
    platformStatus: () => ({}),
    isPrivate: () => false,
    installConfig: () => ({}),
    dns: () => ({}),
    ingressPublishing: (hcp) => loadBalancer(hcp),
    ingressController: {},
    ingressCertificate: true,
    noProxy: () => [],
    agentOnHostNetwork: true,
    agentDnsPolicy: () => 'Default',
    apiServerProbePath: '/version',
    defaultNetwork: () => ({}),
    registry: { spec: {} },
    credentials: () => [],
    csiDrivers: [],
    syncsPullSecrets: false,
    interruptsMachines: false,
    ingressPassthrough: false,
    ...own,
  };
}

/** Where load balancers of the default router listen; outside unless an annotation says otherwise. */
export function loadBalancerScope({ metadata }: HostedControlPlane): string {
  return metadata.annotations?.[annotations.ingressControllerLoadBalancerScope.key] ?? 'External';
}

/** Publishing by a load balancer. */
export function loadBalancer(hcp: HostedControlPlane, provider: object = {}): object {
  return { type: 'LoadBalancerService', loadBalancer: { scope: loadBalancerScope(hcp), ...provider } };
}

/** One value of a Secret as text; undefined when there is none. */
export function secretValue(secret: corev1.Secret | undefined, key: string): string | undefined {
  const value = secret?.data?.[key];
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString('utf8');
}
