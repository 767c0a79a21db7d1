import { Option } from 'commander';

/** What the flags say; absent: as the data directory was begun. */
export interface RealProgramFlags {
  /** `builtin`, `real` (the one on PATH) or a file. */
  readonly etcd?: string;
  readonly kubeApiserver?: string;
}

/** For commands that start a management cluster: whose etcd hosted clusters run. */
export const etcdOption = (): Option =>
  new Option(
    '--etcd <which>',
    'etcd of hosted clusters: builtin, real (the one on PATH) or a file (default: as the data directory was begun; at first builtin)',
  );

export const kubeApiServerOption = (): Option =>
  new Option(
    '--kube-apiserver <file>',
    'kube-apiserver of hosted clusters, started by the same manifests as ours; takes a real etcd',
  );
