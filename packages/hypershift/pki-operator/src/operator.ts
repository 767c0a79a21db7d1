import { randomBytes } from 'node:crypto';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Client, InformerCache } from '@hypershift-ts/kube-client';
import type { Controller, EventRecorder, LeaderElectionOptions, Logger } from '@hypershift-ts/kube-controller';
import { Manager } from '@hypershift-ts/kube-controller';
import type { KeySource } from '@hypershift-ts/kube-pki';
import { generateKeys } from '@hypershift-ts/kube-pki';
import type { KasProber } from './prober.ts';
import { kasPodProber } from './prober.ts';
import { approvalController } from './requests/approval-controller.ts';
import { signingController } from './requests/signing-controller.ts';
import { revocationController } from './revocation/controller.ts';
import { rotationController } from './rotation/controller.ts';
import { rotationPeriods } from './rotation/periods.ts';
import { trustController } from './trust/controller.ts';

export interface PkiOperatorOptions {
  readonly managementClient: Client;
  /** The control plane's namespace. */
  readonly namespace: string;
  /** How the hosted API servers are asked whom they trust; by default each pod at its address. */
  readonly prober?: KasProber;
  /** Milliseconds of a "day" of rotation; 24 hours is the default and the longest. */
  readonly rotationScale?: number;
  readonly revocationPollMs?: number;
  readonly keys?: KeySource;
  /** Unpredictable letters and digits. */
  readonly newSuffix?: () => string;
  readonly cache?: InformerCache;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly events?: EventRecorder;
  readonly leaderElection?: LeaderElectionOptions;
}

export interface PkiOperator {
  readonly manager: Manager;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** 256 random bits as letters and digits. */
const randomSuffix = () => BigInt(`0x${randomBytes(32).toString('hex')}`).toString(36);

/** The controllers of break-glass access: rotation, trust, approval, signing and revocation. */
export function pkiControllers(options: PkiOperatorOptions): readonly Controller[] {
  const { managementClient, namespace, keys = generateKeys, newSuffix = randomSuffix } = options;
  const periods = rotationPeriods(options.rotationScale);
  const prober = options.prober ?? kasPodProber({ client: managementClient, namespace });
  const poll = options.revocationPollMs;
  return [
    rotationController({ namespace, periods, keys, newSuffix }),
    trustController({ namespace }),
    approvalController({ namespace }),
    signingController({ namespace, periods }),
    revocationController({ namespace, prober, ...(poll === undefined ? {} : { pollMs: poll }) }),
  ];
}

/** Break-glass access to one hosted cluster, as it runs in the control plane's namespace. */
export function pkiOperator(options: PkiOperatorOptions): PkiOperator {
  const { managementClient, cache, clock, logger, events, leaderElection } = options;
  const manager = new Manager({
    client: managementClient,
    ...(cache ? { cache } : {}),
    ...(clock ? { clock } : {}),
    ...(logger ? { logger } : {}),
    ...(events ? { events } : {}),
    ...(leaderElection ? { leaderElection } : {}),
  });
  manager.add(...pkiControllers(options));
  return { manager, start: () => manager.start(), stop: () => manager.stop() };
}
