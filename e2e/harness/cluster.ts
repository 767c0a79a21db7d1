import { type Client, clusterConfigFrom, HttpClient, parseKubeconfig } from '@hypershift-ts/kube-client';
import { EmbeddedCluster, type EmbeddedClusterOptions } from '@hypershift-ts/kube-embedded';

/** A cluster in memory and a client that reaches it over HTTPS, for one test file. */
export interface TestCluster {
  readonly cluster: EmbeddedCluster;
  readonly client: Client;
  stop(): Promise<void>;
}

/** Starts a cluster on a free loopback port; the API server alone unless the test asks for more. Faults inside the server are printed, so that a test shows them. */
export async function startTestCluster(options: EmbeddedClusterOptions = {}): Promise<TestCluster> {
  const cluster = await EmbeddedCluster.start({
    controllers: false,
    log: (message, error) =>
      process.stderr.write(`${message} ${error instanceof Error ? error.stack : JSON.stringify(error ?? '')}\n`),
    ...options,
  });
  const client = httpsClient(cluster);
  return {
    cluster,
    client,
    async stop() {
      await client.close();
      await cluster.stop();
    },
  };
}

export function httpsClient(cluster: EmbeddedCluster, kubeconfig = cluster.adminKubeconfig()): HttpClient {
  return new HttpClient(clusterConfigFrom(parseKubeconfig(kubeconfig, 'test', '/')));
}
