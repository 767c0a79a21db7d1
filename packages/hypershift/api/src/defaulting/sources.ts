import type { Random } from '@hypershift-ts/kube-apimachinery';

/** Where values come from that nobody wrote. */
export interface DefaultSources {
  readonly random: Random;
  readonly uuid: () => string;
  /** Release for clusters that name none. */
  readonly releaseImage?: string;
}
