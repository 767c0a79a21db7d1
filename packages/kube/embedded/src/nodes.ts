import { join } from 'node:path';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { ApiServer } from '@hypershift-ts/kube-apiserver';
import type { InformerCache } from '@hypershift-ts/kube-client';
import type { Logger } from '@hypershift-ts/kube-controller';
import { type ClusterNames, type Kubelet, type KubeletOptions, startKubelet } from '@hypershift-ts/kube-kubelet';
import { issue } from '@hypershift-ts/kube-pki';
import type { Running } from './controllers.ts';
import type { ClusterIdentity } from './identity.ts';

/** A node of an embedded cluster; everything has a default. */
export type EmbeddedNode = Partial<
  Pick<KubeletOptions, 'labels' | 'annotations' | 'taints' | 'capacity' | 'allocatable' | 'providerID' | 'runtimes'>
> & { readonly name: string };

export interface NodesOptions {
  readonly nodes: readonly EmbeddedNode[];
  /** Where pods and logs live. */
  readonly dataDir: string;
  /** What the cluster's DNS would know. */
  readonly names: ClusterNames;
  /** The cluster's own informers: kubelets beside it need no watch for every Secret and ConfigMap of a pod. */
  readonly cache: InformerCache;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Starts the kubelets of the cluster, each under its node's identity. */
export async function startNodes(
  apiServer: ApiServer,
  identity: ClusterIdentity,
  options: NodesOptions,
): Promise<Running> {
  const { nodes, names, cache, clock, logger } = options;
  const kubelets: Kubelet[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(kubelets.map((kubelet) => kubelet.stop()));
  };
  try {
    for (const { name, ...node } of nodes) {
      const user = { name: `system:node:${name}`, groups: ['system:nodes', 'system:authenticated'] };
      const serving = await issue(identity.authority, {
        subject: { commonName: user.name, organizations: ['system:nodes'] },
        role: 'server',
        dnsNames: [name],
        ipAddresses: ['127.0.0.1'],
        now: clock.now(),
      });
      kubelets.push(
        await startKubelet({
          ...node,
          client: apiServer.client(user, 'kubelet'),
          nodeName: name,
          names,
          cache,
          dataDir: join(options.dataDir, name),
          tls: {
            certificate: serving.certificatePem,
            key: serving.keyPem,
            clientCa: identity.authority.certificatePem,
            allowedClients: [identity.kubeletClient.certificate.subject.commonName ?? ''],
          },
          clock,
          log: logger.child({ node: name }),
        }),
      );
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}
