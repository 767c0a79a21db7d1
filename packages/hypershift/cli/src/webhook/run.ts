import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostedClusters, type WebhookContext } from '@hypershift-ts/hypershift-api';
import { EmbeddedCatalogue, embeddedReleaseImage } from '@hypershift-ts/hypershift-release';
import { isNotFound } from '@hypershift-ts/kube-apimachinery';
import { type Client, HttpClient, inClusterConfig, loadClusterConfig } from '@hypershift-ts/kube-client';
import { untilStopped } from '../kube/stop-signals.ts';
import { serveWebhooks } from './server.ts';

/** What the webhooks need, read from the cluster they serve. */
export function webhookContext(client: Client): WebhookContext {
  const newest = new EmbeddedCatalogue().newest();
  return {
    random: Math.random,
    uuid: randomUUID,
    ...(newest ? { releaseImage: embeddedReleaseImage(newest) } : {}),
    hostedCluster: (namespace, name) =>
      client.get(hostedClusters, { namespace, name }).catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      }),
  };
}

export async function runWebhooks(options: {
  readonly kubeconfig?: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly bindAddress: string;
  readonly port: string;
}): Promise<void> {
  const inPod = options.kubeconfig === undefined && process.env['KUBERNETES_SERVICE_HOST'] !== undefined;
  const config = inPod
    ? await inClusterConfig()
    : await loadClusterConfig(options.kubeconfig ? { file: options.kubeconfig } : {});
  const client = new HttpClient(config, { userAgent: 'hypershift-webhook' });
  const server = await serveWebhooks({
    certificate: await readFile(options.certFile, 'utf8'),
    key: await readFile(options.keyFile, 'utf8'),
    host: options.bindAddress,
    port: Number(options.port),
    context: webhookContext(client),
  });
  console.log(`webhooks are served on https://${options.bindAddress}:${server.port}`);
  await untilStopped();
  await server.stop();
  await client.close();
}
