import { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { type Client, clusterConfigFrom, HttpClient, parseKubeconfig } from '@hypershift-ts/kube-client';
import { createOrUpdate } from '@hypershift-ts/kube-controller';
import { waitForObject } from '../progress/index.ts';

const name = 'hello';
const namespace = 'sample';
const labels = { app: name };
const timeoutMs = 60_000;

const deployment: appsv1.Deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace, labels },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: [{ name, image: name, ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }] }] },
    },
  },
};

const pauseMs = 250;

/** After a restart the cluster's conditions are those of before, for a moment; its API server may still be starting. */
async function answers(client: Client): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      await client.raw('GET', '/readyz');
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

const clientOf = (kubeconfig: string) =>
  new HttpClient(clusterConfigFrom(parseKubeconfig(kubeconfig, 'kubeconfig', '/')), { userAgent: 'hypershift-cli' });

/** Until the API server of a kubeconfig answers. */
export async function untilAnswers(kubeconfig: string): Promise<void> {
  const client = clientOf(kubeconfig);
  await answers(client).finally(() => client.close());
}

/** Something to look at on the worker nodes: a web server that says where it runs. */
export async function runSample(kubeconfig: string): Promise<string> {
  const client = clientOf(kubeconfig);
  try {
    await createOrUpdate(client, corev1.namespaces, { name: namespace }, { metadata: { name: namespace } });
    await createOrUpdate(client, appsv1.deployments, { namespace, name }, deployment);
    await waitForObject({
      client,
      type: appsv1.deployments,
      namespace,
      name,
      subject: `Deployment ${namespace}/${name}`,
      look: (live) =>
        (live?.status?.availableReplicas ?? 0) >= 2
          ? undefined
          : { subject: `Deployment ${namespace}/${name}`, message: 'its pods are not available yet' },
      timeoutMs,
      fix: `Look at its pods: kubectl -n ${namespace} get pods -o wide`,
    });
    return `Deployment ${namespace}/${name} runs on the worker nodes`;
  } finally {
    await client.close();
  }
}
