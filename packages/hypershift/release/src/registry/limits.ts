import type { Clock } from '@hypershift-ts/kube-apimachinery';

/** What a registry may cost us at most. Registries and images are outside input. */
export interface RegistryLimits {
  /** Manifests, image configurations and token answers. */
  readonly documentBytes: number;
  /** One file taken out of a layer. */
  readonly fileBytes: number;
  /** All layers read for one image, as transferred. */
  readonly transferBytes: number;
  /** The same, unpacked: a bound on compression bombs. */
  readonly unpackedBytes: number;
  readonly layers: number;
  readonly redirects: number;
  /** Silence on a connection before it counts as broken. */
  readonly idleMs: number;
  /** One step of a look-up (resolving, reading the configuration, reading files) with its retries. */
  readonly lookupMs: number;
  /** One mirror. A hanging mirror must leave time for the next place. */
  readonly mirrorMs: number;
}

const mebibyte = 1 << 20;

export const defaultLimits: RegistryLimits = {
  documentBytes: 4 * mebibyte,
  fileBytes: 16 * mebibyte,
  transferBytes: 1024 * mebibyte,
  unpackedBytes: 4096 * mebibyte,
  layers: 128,
  redirects: 5,
  idleMs: 15_000,
  lookupMs: 120_000,
  mirrorMs: 15_000,
};

/** Aborts after `ms`, or when the outer signal does. Call `done` when the work is over. */
export function deadline(clock: Clock, ms: number, outer?: AbortSignal): { signal: AbortSignal; done: () => void } {
  const controller = new AbortController();
  const cancel = clock.after(ms, () => controller.abort(new Error(`no answer within ${ms / 1000} s`)));
  const forward = () => controller.abort(outer?.reason);
  if (outer?.aborted) forward();
  outer?.addEventListener('abort', forward, { once: true });
  return {
    signal: controller.signal,
    done() {
      cancel();
      outer?.removeEventListener('abort', forward);
    },
  };
}
