import { type HostedCluster, hostedClusters } from '@hypershift-ts/hypershift-api';
import { controlPlaneNamespaceOf } from '@hypershift-ts/hypershift-operator';
import { corev1, isNotFound } from '@hypershift-ts/kube-apimachinery';
import {
  type Client,
  formatKubeconfig,
  type Kubeconfig,
  mergeKubeconfigs,
  parseKubeconfig,
} from '@hypershift-ts/kube-client';
import { UserError } from '../cli-error.ts';
import { getHostedCluster } from '../cluster-access/index.ts';
import { causeText, clusterCause } from '../progress/index.ts';
import {
  contextName,
  forwardedKubeconfig,
  hostOf,
  isPrivateCluster,
  renamedKubeconfig,
  routedKubeconfig,
} from './kubeconfigs.ts';
import { routerFor } from './embedded-router.ts';

const secretKey = 'kubeconfig';
const apiServerService = 'kube-apiserver';
const defaultPort = 6443;

export interface KubeconfigRequest {
  readonly namespace: string;
  readonly name?: string;
  readonly portForward?: boolean;
  readonly note?: (text: string) => void;
}

/** The administrator's kubeconfig as the cluster reports it. */
async function reportedKubeconfig(client: Client, cluster: HostedCluster): Promise<Kubeconfig> {
  const namespace = cluster.metadata.namespace ?? '';
  const subject = `HostedCluster ${namespace}/${cluster.metadata.name}`;
  const name = cluster.status?.kubeconfig?.name;
  if (!name) {
    const cause = clusterCause(cluster);
    throw new UserError(
      `${subject} has no kubeconfig yet${cause ? `: ${cause.message}` : ''}`,
      `See what it waits for: hypershift describe cluster ${cluster.metadata.name} --namespace ${namespace}`,
    );
  }
  const secret = await client.get(corev1.secrets, { namespace, name }).catch((cause: unknown) => {
    if (!isNotFound(cause)) throw cause;
    throw new UserError(
      `Secret ${namespace}/${name} with the kubeconfig of ${subject} does not exist`,
      'The operator writes it again within a minute; if not, look at its log.',
      { cause },
    );
  });
  const content = secret.data?.[secretKey];
  if (!content)
    throw new UserError(
      `Secret ${namespace}/${name} has no key ${secretKey}`,
      'Delete it; the operator writes it again.',
    );
  return parseKubeconfig(Buffer.from(content, 'base64').toString('utf8'), `Secret ${namespace}/${name}`, '/');
}

async function kubeconfigOf(client: Client, cluster: HostedCluster, request: KubeconfigRequest): Promise<Kubeconfig> {
  const config = await reportedKubeconfig(client, cluster);
  const namespace = controlPlaneNamespaceOf(cluster);
  const router = await routerFor(client, namespace, hostOf(config));
  if (router) return routedKubeconfig(config, router);
  if (!request.portForward || !isPrivateCluster(cluster)) return config;
  const service = await client.get(corev1.services, { namespace, name: apiServerService });
  const port = service.spec?.ports?.[0]?.port ?? defaultPort;
  request.note?.(`First run: kubectl port-forward -n ${namespace} svc/${apiServerService} ${port}:${port}`);
  return forwardedKubeconfig(config, port);
}

/** The text of the kubeconfig of one cluster, or of all clusters of a namespace with one context each. */
export async function kubeconfigText(client: Client, request: KubeconfigRequest): Promise<string> {
  const { namespace, name, note } = request;
  if (name)
    return formatKubeconfig(await kubeconfigOf(client, await getHostedCluster(client, { namespace, name }), request));
  const { items } = await client.list(hostedClusters, { namespace });
  const configs: Kubeconfig[] = [];
  for (const cluster of items) {
    try {
      configs.push(renamedKubeconfig(await kubeconfigOf(client, cluster, request), contextName(cluster)));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const cause = clusterCause(cluster);
      note?.(`Skipped: ${cause ? causeText(cause) : error.message}`);
    }
  }
  if (configs.length === 0)
    throw new UserError(
      `no HostedCluster of namespace ${namespace} has a kubeconfig`,
      'Create one: hypershift create cluster none --name demo --wait',
    );
  return formatKubeconfig(mergeKubeconfigs(configs));
}
