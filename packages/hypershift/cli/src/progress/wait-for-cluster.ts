import { hostedClusters, nodePools } from '@hypershift-ts/hypershift-api';
import { type Clock, systemClock } from '@hypershift-ts/kube-apimachinery';
import { type Client, InformerCache } from '@hypershift-ts/kube-client';
import { exitCodes, UserError } from '../cli-error.ts';
import { awaited, type WaitGoal } from './awaited.ts';
import { type Cause, causeText } from './cause.ts';

export interface WaitOptions {
  readonly client: Client;
  readonly namespace: string;
  readonly name: string;
  readonly goal: WaitGoal;
  /** 0 or absent: for ever. */
  readonly timeoutMs?: number;
  /** Told whenever what is awaited changes. */
  readonly onProgress?: (cause: Cause) => void;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

/** Follows a cluster until it has reached the goal; fails with the cause when time is over. */
export async function waitForCluster(options: WaitOptions): Promise<void> {
  const { client, namespace, name, goal, timeoutMs = 0, clock = systemClock, signal } = options;
  const cache = new InformerCache({ client, clock });
  const clusters = cache.informer(hostedClusters, { namespace, fieldSelector: `metadata.name=${name}` });
  const pools = cache.informer(nodePools, { namespace });
  let last: Cause | undefined;
  let toldText = '';
  let cancelTimer = () => {};
  let onAbort = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!clusters.hasSynced() || !pools.hasSynced()) return;
        const ofCluster = pools.list().filter(({ spec }) => spec.clusterName === name);
        last = awaited(goal, clusters.get({ namespace, name }), ofCluster, `${namespace}/${name}`);
        if (!last) return resolve();
        const text = causeText(last);
        if (text !== toldText) options.onProgress?.(last);
        toldText = text;
      };
      for (const informer of [clusters, pools]) {
        informer.addHandler({ added: look, updated: look, deleted: look });
        void informer.whenSynced(signal).then(look);
      }
      if (timeoutMs > 0) cancelTimer = clock.after(timeoutMs, () => reject(timedOut(options, last)));
      onAbort = () => reject(signal?.reason as Error);
      signal?.addEventListener('abort', onAbort, { once: true });
      cache.start();
    });
  } finally {
    cancelTimer();
    signal?.removeEventListener('abort', onAbort);
    await cache.stop();
  }
}

function timedOut({ namespace, name, timeoutMs = 0 }: WaitOptions, last: Cause | undefined): UserError {
  const why = last ? causeText(last) : 'the management cluster did not answer';
  return new UserError(
    `HostedCluster ${namespace}/${name} is not ready after ${Math.round(timeoutMs / 1000)}s: ${why}`,
    `It goes on without this command. Look again: hypershift describe cluster ${name} --namespace ${namespace}`,
    { exitCode: exitCodes.timedOut },
  );
}
