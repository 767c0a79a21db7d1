import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import type { PlatformType } from './platform.ts';

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
  deleteSecurityGroup(group: SecurityGroup, signal: AbortSignal): Promise<void>;
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
