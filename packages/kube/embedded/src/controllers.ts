import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { ApiServer, UserInfo } from '@hypershift-ts/kube-apiserver';
import { InformerCache } from '@hypershift-ts/kube-client';
import type { Logger } from '@hypershift-ts/kube-controller';
import { controllerManager, scheduler, serviceAccountOf } from '@hypershift-ts/kube-controllers';
import { loopbackLoadBalancers } from '@hypershift-ts/kube-kubelet';
import type { ClusterIdentity } from './identity.ts';

/** What runs beside the API server; stopping gives everything back. */
export interface Running {
  stop(): Promise<void>;
}

/** The controllers and the cache that others of the cluster may share. */
export interface RunningControllers extends Running {
  readonly cache: InformerCache;
}

/** A component of the control plane, as RBAC knows it. */
function componentUser(name: string): UserInfo {
  return { name: `system:${name}`, groups: ['system:authenticated'] };
}

/** The identity one controller writes with. */
function controllerUser(controllerName: string): UserInfo {
  const account = serviceAccountOf[controllerName] ?? controllerName;
  return {
    name: `system:serviceaccount:kube-system:${account}`,
    groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
  };
}

/** Starts the controllers and the scheduler with one shared cache, each under its own identity. */
export async function startControllers(
  apiServer: ApiServer,
  identity: ClusterIdentity,
  options: { readonly clock: Clock; readonly logger: Logger; readonly volumesDir: string },
): Promise<RunningControllers> {
  const { clock, logger } = options;
  // Reads are shared: the cache belongs to the cluster and may see everything, as kube-controller-manager's may.
  const reader = apiServer.client(undefined, 'kube-controller-manager');
  const cache = new InformerCache({ client: reader, clock });
  const loadBalancers = loopbackLoadBalancers();
  const manager = controllerManager({
    client: reader,
    clientFor: (name) => apiServer.client(controllerUser(name), `kube-controller-manager/${name}`),
    cache,
    clock,
    logger,
    rootCa: identity.authority.certificatePem,
    signer: { authority: identity.authority },
    serviceAccountPrivateKey: identity.serviceAccountKey,
    localVolumes: localVolumes(options.volumesDir),
    loadBalancers,
  });
  const pods = scheduler({
    client: apiServer.client(componentUser('kube-scheduler'), 'kube-scheduler'),
    cache,
    clock,
    logger,
  });
  await manager.start();
  await pods.start();
  return {
    cache,
    async stop() {
      await pods.stop();
      await manager.stop();
      await cache.stop();
      loadBalancers.close();
    },
  };
}

/** Persistent volumes are directories; the claims of a deleted volume go with their content. */
function localVolumes(directory: string) {
  return {
    async create(volumeName: string): Promise<string> {
      const path = join(directory, volumeName);
      await mkdir(path, { recursive: true, mode: 0o700 });
      return path;
    },
    async remove(volumeName: string): Promise<void> {
      await rm(join(directory, volumeName), { recursive: true, force: true });
    },
  };
}
