import { clusterConfigFrom, HttpClient, parseKubeconfig } from '@hypershift-ts/kube-client';
import { runClusterApi } from '@hypershift-ts/machines-cluster-api';

/** The process of our Cluster API controllers in a benchmark: told by its parent which clusters to work on. */
const stopper = new AbortController();
process.on('message', (given: { management: string; hosted: string; namespace: string }) => {
  const [client, hosted] = [given.management, given.hosted].map(
    (text) => new HttpClient(clusterConfigFrom(parseKubeconfig(text, 'benchmark', '/'))),
  ) as [HttpClient, HttpClient];
  const { namespace } = given;
  void runClusterApi({ client, namespace, hostedClient: () => hosted, signal: stopper.signal });
});
process.on('disconnect', () => process.exit(0));
