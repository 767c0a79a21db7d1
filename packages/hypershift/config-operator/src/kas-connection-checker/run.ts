import { type Clock, corev1, delay, formatTime, systemClock } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { type Logger, silentLogger } from '@hypershift-ts/kube-controller';
import { connectionChecker } from '../resources/kas-connection-checker.ts';

export interface ConnectionCheckerOptions {
  /** The hosted cluster as pods on its nodes reach it, with the checker's own service account. */
  readonly client: Client;
  /** Path that must answer; `/version` on most platforms. */
  readonly path?: string;
  readonly intervalMs?: number;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly signal: AbortSignal;
}

/** What the script of the kas-connection-checker pods does, for nodes that cannot run a shell. */
export async function runConnectionChecker(options: ConnectionCheckerOptions): Promise<void> {
  const { client, path = '/version', intervalMs = 60_000, clock = systemClock, signal } = options;
  const log = options.logger ?? silentLogger;
  const { namespace, configMap: name, field } = connectionChecker;
  while (!signal.aborted) {
    try {
      await client.raw('GET', path, { signal });
      const body = { data: { [field]: formatTime(clock.now()) } };
      await client.patch(corev1.configmaps, { namespace, name }, { type: 'merge', body }, { signal });
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error }, `the API server did not answer ${path}; trying again in ${intervalMs / 1000} s`);
    }
    await delay(clock, intervalMs, signal);
  }
}
