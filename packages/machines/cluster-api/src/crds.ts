import { type CrdManifestObject, readStoredCrds } from '@hypershift-ts/kube-apimachinery';
import { clusterApiCrds as stored } from './generated/cluster-api-crds.ts';

export type ClusterApiVersion = 'v1beta1' | 'v1beta2';

export interface ClusterApiCrdOptions {
  /** What is kept in the store; v1beta2 unless said otherwise. */
  readonly storageVersion?: ClusterApiVersion;
  /** Versions clients may use; both unless said otherwise. Two versions need a conversion webhook to keep all fields. */
  readonly served?: readonly ClusterApiVersion[];
}

let read: readonly CrdManifestObject[] | undefined;

/** The CRDs of Cluster API core, IPAM and add-ons. */
export function clusterApiCrds(options: ClusterApiCrdOptions = {}): readonly CrdManifestObject[] {
  read ??= readStoredCrds(stored);
  const { storageVersion = 'v1beta2', served = ['v1beta1', 'v1beta2'] } = options;
  return read.map((crd) => ({
    ...crd,
    spec: {
      ...crd.spec,
      versions: crd.spec.versions.map((version) => ({
        ...version,
        served: version.served && served.includes(version.name as ClusterApiVersion),
        storage: version.name === storageVersion,
      })),
    },
  }));
}
