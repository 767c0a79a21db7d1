import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { PlatformType, PrivateConnectivity } from './platform.ts';

/** A security group that all machines of a cluster are in. */
export interface SecurityGroup {
  readonly name: string;
  readonly network: string;
}

/** What a control plane asks of the cloud of its nodes. Every call may be repeated; what is refused rejects with the reason. */
export interface CloudAccount {
  /** How people call this cloud: `AWS`, or that it is simulated. */
  readonly name: string;
  /** Resolves when the cloud accepts tokens that the cluster issues. */
  checkIdentityProvider(hcp: HostedControlPlane, signal: AbortSignal): Promise<void>;
  /** Resolves when the key the cluster encrypts with can be used. */
  checkEncryptionKey(hcp: HostedControlPlane, signal: AbortSignal): Promise<void>;
  /** Makes the group if there is none, and answers its id. */
  ensureSecurityGroup(group: SecurityGroup, signal: AbortSignal): Promise<string>;
  /** Resolves when there is no such group any more. */
  deleteSecurityGroup(id: string, signal: AbortSignal): Promise<void>;
  /** Offers a load balancer to other networks, and answers the name by which endpoints there find it. */
  offerService(service: OfferedService, signal: AbortSignal): Promise<string>;
  withdrawService(name: string, signal: AbortSignal): Promise<void>;
  /** Makes an endpoint of such a service in the network of the nodes. */
  connectEndpoint(
    endpoint: PrivateEndpoint,
    signal: AbortSignal,
  ): Promise<{ readonly id: string; readonly ip: string }>;
  disconnectEndpoint(id: string, signal: AbortSignal): Promise<void>;
}

export interface OfferedService {
  readonly name: string;
  readonly region: string;
}

export interface PrivateEndpoint {
  readonly name: string;
  /** What `offerService` answered. */
  readonly service: string;
  readonly network: string;
}

/** The account for clusters of a platform, where there is one. */
export type CloudAccounts = (platform: PlatformType) => CloudAccount | undefined;

/** One thing the control plane has its cloud do or answer, and the condition that tells how it went. */
export interface CloudTask {
  readonly condition: string;
  /** Reason of the condition when the cloud refuses. */
  readonly refused: string;
  /** What the task is for, to follow "to". */
  readonly purpose: string;
  /** Why there is nothing to do for a cluster; undefined when there is. */
  readonly unused?: (hcp: HostedControlPlane) => string | undefined;
  /** Answers what it adds to `status.platform`. */
  run(hcp: HostedControlPlane, account: CloudAccount, signal: AbortSignal): Promise<object | undefined>;
}

/** What the cloud did for a control plane is undone, before the control plane goes. */
export interface CloudCleanUp {
  readonly condition: string;
  readonly refused: string;
  run(hcp: HostedControlPlane, account: CloudAccount, signal: AbortSignal): Promise<void>;
}

/** One side of a private way from the nodes to their control plane, and the conditions of the object that stands for it. */
export interface PrivateLinkSide {
  readonly conditions: readonly string[];
  /** Reason of the conditions when the cloud refuses. */
  readonly refused: string;
  /** Answers what it adds to the status of the object. */
  run(
    link: PrivateConnectivity,
    hcp: HostedControlPlane,
    account: CloudAccount,
    signal: AbortSignal,
  ): Promise<{ readonly [field: string]: unknown }>;
  /** Takes back what the status of the object tells of; the control plane may be gone already. */
  undo(link: PrivateConnectivity, account: CloudAccount, signal: AbortSignal): Promise<void>;
}

/** A private way from the nodes to their control plane: offered beside the control plane, connected where the nodes are. */
export interface PrivateLink {
  /** `spec` of the object; `address` is where the load balancer is. Undefined when the cluster wants no such way. */
  spec(hcp: HostedControlPlane, balancer: corev1.Service, address: string): object | undefined;
  readonly offer: PrivateLinkSide;
  readonly connect: PrivateLinkSide;
}
