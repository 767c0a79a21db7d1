import { spawnSync } from 'node:child_process';
import type { ProcessImage } from '@hypershift-ts/kube-kubelet';

/** Files of this machine that hosted control planes run, started by the same manifests as ours. */
export interface RealPrograms {
  readonly etcd?: string;
  /** Needs a real etcd: the builtin one serves API servers of its own process only. */
  readonly kubeApiServer?: string;
}

/**
 * Whether a process may have an /etc/hosts of its own, by which members of an etcd find each other and an API server
 * finds its etcd. Linux with user namespaces only.
 */
export function mayNameServices(): boolean {
  const trial = ['--user', '--map-root-user', '--mount', 'mount', '--bind', '/etc/hosts', '/etc/hosts'];
  return spawnSync('unshare', trial, { stdio: 'ignore' }).status === 0;
}

/** What the node's builtin programs leave out, and what runs instead. */
export function realRuntime({ etcd, kubeApiServer }: RealPrograms): {
  readonly without: readonly string[];
  readonly images: readonly ProcessImage[];
} {
  if (kubeApiServer && !etcd) throw new Error('a real kube-apiserver needs a real etcd');
  if (!etcd) return { without: [], images: [] };
  const clusterNames = mayNameServices();
  const stores: ProcessImage = { images: ['etcd'], programs: { etcd }, clusterNames, podAddresses: true };
  if (!kubeApiServer) return { without: ['etcd'], images: [stores] };
  const servers: ProcessImage = {
    images: ['hyperkube'],
    programs: { hyperkube: kubeApiServer },
    clusterNames,
    // `hyperkube kube-apiserver --flags`. Pods share this machine, so each server listens on its pod's address.
    arguments: ([, ...flags], podIP) => [...flags, `--bind-address=${podIP}`],
  };
  return { without: ['etcd', 'kube-apiserver'], images: [stores, servers] };
}
