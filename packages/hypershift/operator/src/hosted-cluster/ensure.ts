import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { ensure as ensureRead } from './live.ts';

/** Makes the object what it should be, its reported readiness included, and writes nothing when it is so. */
export function ensure<T extends KubeObject>(client: Client, desired: T, signal: AbortSignal): Promise<T> {
  return ensureRead({ client, signal }, desired);
}
