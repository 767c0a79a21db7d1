import { clusterConfigFrom, inClusterConfig, loadClusterConfig, parseKubeconfig } from '@hypershift-ts/kube-client';
import type { BuiltinContext } from '@hypershift-ts/kube-kubelet';
import type { ProcessDirectory } from '../directory.ts';
import { onThisMachine } from './kubeconfig-file.ts';
import { NearestClient, NearestServer } from './nearest-client.ts';
import { clientFrom, serverOf } from './program-client.ts';

const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Names a kubeconfig for programs that are told about their cluster that way, for want of a pod around them. */
export const kubeconfigVariable = 'HYPERSHIFT_KUBECONFIG';

/** A client of the cluster a pod runs in, with the pod's own service account. */
export function serviceAccountClient(
  context: BuiltinContext,
  directory: ProcessDirectory,
  userAgent: string,
): NearestClient {
  const config = async () => {
    const kubeconfig = context.env[kubeconfigVariable];
    if (kubeconfig) return loadClusterConfig({ file: kubeconfig });
    // The files lie in the pod's volumes, so they are already paths of this machine.
    const own = await inClusterConfig({ env: context.env, directory: context.path(serviceAccountDirectory) });
    return onThisMachine(own, { ...context, path: (file) => file });
  };
  const server = new NearestServer({ config, directory, clock: context.clock });
  return new NearestClient({ server, clock: context.clock, userAgent });
}

/** A client with the identity of a kubeconfig file of the container. */
export function kubeconfigClient(
  context: BuiltinContext,
  directory: ProcessDirectory,
  containerPath: string,
  userAgent: string,
): NearestClient {
  return clientFrom(context, serverOf(context, directory, containerPath), userAgent);
}

/** A client with the identity of a kubeconfig that is read when it is needed, from a Secret say. */
export function kubeconfigTextClient(
  context: BuiltinContext,
  directory: ProcessDirectory,
  read: () => Promise<string>,
  userAgent: string,
): NearestClient {
  const config = async () =>
    onThisMachine(clusterConfigFrom(parseKubeconfig(await read(), 'kubeconfig', '/')), context);
  const server = new NearestServer({ config, directory, clock: context.clock });
  return clientFrom(context, server, userAgent);
}
