import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Logger } from '@hypershift-ts/kube-controller';
import type { EmbeddedCluster } from '@hypershift-ts/kube-embedded';
import { clusterApiCrds, runClusterApi } from '@hypershift-ts/machines-cluster-api';

/** Where Cluster API works. */
export interface Place {
  readonly management: EmbeddedCluster;
  readonly guest: EmbeddedCluster;
  readonly namespace: string;
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** Somebody who runs the core controllers of Cluster API; clients speak v1beta1 to all of them. */
export interface ClusterApi {
  readonly name: string;
  /** The version it keeps; clients that ask for another one make somebody convert. */
  readonly version: 'v1beta1' | 'v1beta2';
  /** The process that works, when it is not this one. */
  readonly pid?: () => number | undefined;
  crds(place: Place): ReturnType<typeof clusterApiCrds> | Promise<ReturnType<typeof clusterApiCrds>>;
  /** Starts it; the answer stops it again. */
  start(place: Place): Promise<() => Promise<void>>;
}

export const ourClusterApi: ClusterApi = {
  name: 'ours',
  version: 'v1beta1',
  crds: () => clusterApiCrds({ storageVersion: 'v1beta1', served: ['v1beta1'] }),
  start: ({ management, guest, namespace, logger, clock }) => {
    const stopper = new AbortController();
    const running = runClusterApi({
      client: management.client(),
      namespace,
      hostedClient: () => guest.client(),
      logger,
      signal: stopper.signal,
      ...(clock ? { clock } : {}),
    });
    return Promise.resolve(async () => {
      stopper.abort();
      await running;
    });
  },
};
