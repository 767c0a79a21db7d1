import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContainerRuntime, ProcessImage, RuntimeOptions } from '@hypershift-ts/kube-kubelet';
import type { ClusterNames } from '@hypershift-ts/kube-kubelet';
import { processRuntime } from '../../packages/kube/kubelet/src/runtime/process-runtime.ts';
import type { RealPrograms } from './binaries.ts';

/** Hosted control planes whose etcd is the real one. */
export function withRealEtcd({ etcd }: Pick<RealPrograms, 'etcd'>) {
  const process: readonly ProcessImage[] = [{ images: ['etcd'], programs: { etcd }, podAddresses: true }];
  return { without: ['etcd'], runtimes: (runtimes: RuntimeOptions): RuntimeOptions => ({ ...runtimes, process }) };
}

/**
 * Hosted control planes whose etcd and kube-apiserver are the real ones, started by the same manifests. Releases call it
 * through `hyperkube`; here a script of that name does. Pods share this machine, so it listens on its pod's address.
 */
export function withRealControlPlane(programs: RealPrograms, folder: string) {
  const hyperkube = join(folder, 'hyperkube');
  writeFileSync(hyperkube, `#!/bin/sh\nshift\nexec '${programs.apiServer}' "$@" --bind-address="$HOST_IP"\n`);
  chmodSync(hyperkube, 0o755);
  const image: ProcessImage = { images: ['hyperkube'], programs: { hyperkube }, clusterNames: true };
  const { without, runtimes: withEtcd } = withRealEtcd(programs);
  return {
    without,
    runtimes: (runtimes: RuntimeOptions, names: ClusterNames): RuntimeOptions => ({
      ...withEtcd(runtimes),
      others: [onlyApiServers(processRuntime([image], names))],
    }),
  };
}

/** Controllers and the scheduler are called through `hyperkube`, too, and stay ours. */
function onlyApiServers(runtime: ContainerRuntime): ContainerRuntime {
  return {
    ...runtime,
    accepts: (container, ...rest) => container.args?.[0] === 'kube-apiserver' && runtime.accepts(container, ...rest),
  };
}
