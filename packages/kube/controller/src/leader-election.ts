import type { Clock, KubeObject, ObjectKey, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { delay, formatMicroTime, isConflict, isAlreadyExists, isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { Client, Random } from '@hypershift-ts/kube-client';
import type { Logger } from './logger.ts';

export interface LeaderElectionOptions {
  readonly lease: ObjectKey & { readonly namespace: string };
  /** Unique per process: host name and a random part. */
  readonly identity: string;
  /** How long others wait after the last renewal before they take over. Default 15 s. */
  readonly leaseDurationMs?: number;
  /** How long the leader keeps trying to renew before it gives up. Default 10 s. */
  readonly renewDeadlineMs?: number;
  /** Time between attempts. Default 2 s. */
  readonly retryPeriodMs?: number;
  /** Give the lease back on a clean stop, so that the next one need not wait. Default true. */
  readonly releaseOnStop?: boolean;
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

interface Lease extends KubeObject {
  readonly spec?: LeaseSpec;
}

const leases: ResourceType<Lease> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  resource: 'leases',
  namespaced: true,
};

/** As in client-go: waiting candidates come back after the retry period stretched by up to this factor. */
const jitterFactor = 1.2;
const releaseTries = 3;
/** A pod that replaces another meets it just before it lets go, so the first attempts come sooner than the others. */
const firstRetryMs = 500;

export class LeadershipLost extends Error {
  override readonly name = 'LeadershipLost';
}

/** Competes for a Lease with the rules of client-go, so that Go and TypeScript candidates can share one. */
export class LeaderElector {
  private readonly options: LeaderElectionOptions;
  private readonly client: Client;
  private readonly clock: Clock;
  private readonly random: Random;
  private readonly log: Logger;
  private observed: Lease | undefined;
  private observedAtMs = 0;

  constructor(options: LeaderElectionOptions, env: { client: Client; clock: Clock; random: Random; log: Logger }) {
    this.options = options;
    this.client = env.client;
    this.clock = env.clock;
    this.random = env.random;
    this.log = env.log.child({ lease: `${options.lease.namespace}/${options.lease.name}`, identity: options.identity });
    if (this.leaseDurationMs <= this.renewDeadlineMs) throw new Error('leaseDurationMs must exceed renewDeadlineMs');
    if (this.renewDeadlineMs <= jitterFactor * this.retryPeriodMs) {
      throw new Error(`renewDeadlineMs must exceed ${jitterFactor} x retryPeriodMs`);
    }
  }

  isLeader(): boolean {
    return this.observed?.spec?.holderIdentity === this.options.identity;
  }

  /** Resolves true once this candidate leads, false when the signal aborted first. */
  async acquire(signal: AbortSignal): Promise<boolean> {
    for (let soonMs = firstRetryMs; !signal.aborted; soonMs *= 2) {
      if (await this.tryAcquireOrRenew(signal)) {
        this.log.info({}, 'became leader');
        return true;
      }
      const stretch = 1 + jitterFactor * this.random();
      await delay(this.clock, Math.min(soonMs, this.retryPeriodMs) * stretch, signal);
    }
    return false;
  }

  /** Keeps the lease until the signal aborts (and then gives it back); throws LeadershipLost when it could not. */
  async hold(signal: AbortSignal): Promise<void> {
    let renewedAtMs = this.clock.now();
    while (!signal.aborted) {
      await delay(this.clock, this.retryPeriodMs, signal);
      if (signal.aborted) break;
      const left = renewedAtMs + this.renewDeadlineMs - this.clock.now();
      if (await this.within(Math.max(left, 0), signal)) renewedAtMs = this.clock.now();
      else if (signal.aborted) break;
      else if (!this.isLeader() || this.clock.now() - renewedAtMs >= this.renewDeadlineMs) {
        throw new LeadershipLost(`lost the lease ${this.options.lease.namespace}/${this.options.lease.name}`);
      }
    }
  }

  /** Gives the lease back, if it is ours. */
  async release(): Promise<void> {
    try {
      for (let tries = 0; tries < releaseTries; tries++) if (await this.tryRelease()) return;
    } catch (error) {
      this.log.warn({ err: error }, 'could not give the lease back; others wait until it expires');
    }
  }

  /** False when the lease is a newer one than we knew and has to be looked at again. */
  private async tryRelease(): Promise<boolean> {
    if (!this.isLeader() || this.options.releaseOnStop === false || !this.observed) return true;
    const now = formatMicroTime(this.clock.now());
    const spec = {
      ...this.observed.spec,
      holderIdentity: '',
      leaseDurationSeconds: 1,
      renewTime: now,
      acquireTime: now,
    };
    try {
      this.remember(await this.client.update(leases, { ...this.observed, spec }));
      return true;
    } catch (error) {
      if (!isConflict(error)) throw error;
      // A renewal that was given up when we stopped may have arrived all the same.
      this.remember(await this.client.get(leases, this.options.lease));
      return false;
    }
  }

  /** One attempt that is abandoned when it takes longer than `ms`. */
  private async within(ms: number, signal: AbortSignal): Promise<boolean> {
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    signal.addEventListener('abort', stop, { once: true });
    const cancel = this.clock.after(ms, stop);
    try {
      return await this.tryAcquireOrRenew(attempt.signal);
    } finally {
      cancel();
      signal.removeEventListener('abort', stop);
    }
  }

  private async tryAcquireOrRenew(signal: AbortSignal): Promise<boolean> {
    try {
      // The leader usually still knows the newest version and saves the read.
      if (this.isLeader() && this.observed) {
        try {
          return await this.write(this.observed, signal);
        } catch (error) {
          if (!isConflict(error) && !isNotFound(error)) throw error;
        }
      }
      const found = await this.client.get(leases, this.options.lease, { signal });
      this.remember(found);
      if (!this.isLeader() && this.isHeldByOther(found)) return false;
      return await this.write(found, signal);
    } catch (error) {
      if (isNotFound(error)) return this.createLease(signal);
      if (!signal.aborted) this.log.warn({ err: error }, 'could not acquire or renew the lease');
      return false;
    }
  }

  private isHeldByOther(lease: Lease): boolean {
    const holder = lease.spec?.holderIdentity;
    const duration = (lease.spec?.leaseDurationSeconds ?? this.leaseDurationMs / 1000) * 1000;
    // Measured from when we saw the record change, on our own clock: clocks of other machines are not trusted.
    return Boolean(holder) && this.observedAtMs + duration > this.clock.now();
  }

  private async write(lease: Lease, signal: AbortSignal): Promise<boolean> {
    const now = formatMicroTime(this.clock.now());
    const mine = lease.spec?.holderIdentity === this.options.identity;
    const spec: LeaseSpec = {
      ...lease.spec,
      holderIdentity: this.options.identity,
      leaseDurationSeconds: Math.ceil(this.leaseDurationMs / 1000),
      renewTime: now,
      acquireTime: mine ? (lease.spec?.acquireTime ?? now) : now,
      leaseTransitions: (lease.spec?.leaseTransitions ?? 0) + (mine ? 0 : 1),
    };
    this.remember(await this.client.update(leases, { ...lease, spec }, { signal }));
    return true;
  }

  private async createLease(signal: AbortSignal): Promise<boolean> {
    const now = formatMicroTime(this.clock.now());
    try {
      const made = await this.client.create(
        leases,
        {
          metadata: this.options.lease,
          spec: {
            holderIdentity: this.options.identity,
            leaseDurationSeconds: Math.ceil(this.leaseDurationMs / 1000),
            acquireTime: now,
            renewTime: now,
            leaseTransitions: 0,
          },
        },
        { signal },
      );
      this.remember(made);
      return true;
    } catch (error) {
      if (!isAlreadyExists(error) && !signal.aborted) this.log.warn({ err: error }, 'could not create the lease');
      return false;
    }
  }

  private remember(lease: Lease): void {
    if (lease.metadata.resourceVersion === this.observed?.metadata.resourceVersion) return;
    this.observed = lease;
    this.observedAtMs = this.clock.now();
  }

  private get leaseDurationMs(): number {
    return this.options.leaseDurationMs ?? 15_000;
  }

  private get renewDeadlineMs(): number {
    return this.options.renewDeadlineMs ?? 10_000;
  }

  private get retryPeriodMs(): number {
    return this.options.retryPeriodMs ?? 2_000;
  }
}
