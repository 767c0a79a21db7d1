import { coordinationv1, formatMicroTime, isAlreadyExists, isConflict } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';

export const leaseKey = { namespace: 'openshift-cluster-version', name: 'version' } as const;
const durationSeconds = 137;
export const renewEveryMs = 90_000;

/** What a look at the lease says: go on, or wait so long unless the lease changes before. */
export type LeaseVerdict = { readonly held: true } | { readonly held: false; readonly waitMs: number };

/**
 * Takes or keeps the lease under which only one version operator works: two of different releases, as there are while
 * a Deployment rolls, would undo each other's reports. Others watch the lease, so a release is noticed at once and
 * nobody needs to ask every few seconds.
 */
export async function holdLease(
  client: Client,
  live: coordinationv1.Lease | undefined,
  identity: string,
  nowMs: number,
  signal: AbortSignal,
): Promise<LeaseVerdict> {
  const holder = live?.spec?.holderIdentity ?? '';
  const renewedMs = Date.parse(live?.spec?.renewTime ?? '') || 0;
  const leftMs = renewedMs + (live?.spec?.leaseDurationSeconds ?? durationSeconds) * 1000 - nowMs;
  if (holder === identity && nowMs - renewedMs < renewEveryMs) return { held: true };
  if (holder !== '' && holder !== identity && leftMs > 0) return { held: false, waitMs: leftMs };
  const now = formatMicroTime(nowMs);
  const acquireTime = holder === identity ? live?.spec?.acquireTime : now;
  const spec = {
    ...live?.spec,
    holderIdentity: identity,
    leaseDurationSeconds: durationSeconds,
    renewTime: now,
    ...(acquireTime ? { acquireTime } : {}),
    leaseTransitions: (live?.spec?.leaseTransitions ?? 0) + (holder === identity ? 0 : 1),
  };
  try {
    if (live) await client.update(coordinationv1.leases, { ...live, spec }, { signal });
    else await client.create(coordinationv1.leases, { metadata: leaseKey, spec }, { signal });
    return { held: true };
  } catch (error) {
    // Somebody else was faster; the change comes by watch.
    if (isConflict(error) || isAlreadyExists(error)) return { held: false, waitMs: renewEveryMs };
    throw error;
  }
}

/** Gives the lease back if it is ours, so that the next one need not wait. */
export async function releaseLease(client: Client, identity: string): Promise<void> {
  try {
    const live = await client.get(coordinationv1.leases, leaseKey);
    if (live.spec?.holderIdentity !== identity) return;
    await client.update(coordinationv1.leases, { ...live, spec: { ...live.spec, holderIdentity: '' } });
  } catch {
    // The API server may be gone already; then the lease runs out by itself.
  }
}
