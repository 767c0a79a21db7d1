import { appsv1, corev1, StatusError } from '@hypershift-ts/kube-apimachinery';
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

/** Tries until it works, and gives up with the last failure when it should have long since. */
async function eventually<T>(work: () => Promise<T>, isWorthIt: (error: unknown) => boolean = () => true): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline || !isWorthIt(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** After a restart conditions are those of before, for a moment; API server and machines may still be starting. */
async function answers(client: Client, path: string): Promise<void> {
  await eventually(() => client.raw('GET', path));
}

const clientOf = (kubeconfig: string) =>
  new HttpClient(clusterConfigFrom(parseKubeconfig(kubeconfig, 'kubeconfig', '/')), { userAgent: 'hypershift-cli' });

/** Until the API server of a kubeconfig answers. */
export async function untilAnswers(kubeconfig: string): Promise<void> {
  const client = clientOf(kubeconfig);
  await answers(client, '/readyz').finally(() => client.close());
}

/** Until the kubelets of the pods answer, as they must for the commands that users are told to try. */
async function logsAnswer(client: Client): Promise<void> {
  const { items } = await client.list(corev1.pods, { namespace, labelSelector: `app=${name}` });
  const running = items.filter(({ metadata, status }) => !metadata.deletionTimestamp && status?.phase === 'Running');
  for (const { metadata } of running)
    await answers(client, `/api/v1/namespaces/${namespace}/pods/${metadata.name}/log?tailLines=1`);
}

/** Something to look at on the worker nodes: a web server that says where it runs. */
export async function runSample(kubeconfig: string): Promise<string> {
  const client = clientOf(kubeconfig);
  // An API server that starts again answers, and is out of reach once more until its pod is known to be ready.
  const isOutOfReach = (error: unknown) => error instanceof StatusError && error.code === 503;
  try {
    await eventually(() => deploySample(client), isOutOfReach);
    await logsAnswer(client);
    return `Deployment ${namespace}/${name} runs on the worker nodes`;
  } finally {
    await client.close();
  }
}

async function deploySample(client: Client): Promise<void> {
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
}
