/** How long break-glass certificates live, in milliseconds. */
export interface RotationPeriods {
  readonly signerValidity: number;
  /** A signer this old is followed by a new one. */
  readonly signerRefresh: number;
  readonly clientValidity: number;
  readonly clientRefresh: number;
}

const hour = 3_600_000;
/** Shorter certificates would expire before anybody can use them. */
export const minimumLifetime = 10 * 60_000;

/** The periods for a "day" of this length; a real one is the default and the longest (`CERT_ROTATION_SCALE`). */
export function rotationPeriods(scale = 24 * hour): RotationPeriods {
  if (!(scale > 0)) throw new Error(`the rotation scale must be a positive time, not ${scale} ms`);
  const day = Math.min(scale, 24 * hour);
  return { signerValidity: 7 * day, signerRefresh: 2 * day, clientValidity: 1.5 * day, clientRefresh: day / 4 };
}
