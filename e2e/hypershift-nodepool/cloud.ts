/** Cluster API at work on the machines of `clusters/demo`, with a cloud whose machines are nodes at once. */
import { hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { corev1, formatTime, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import { type Client, InformerCache } from '@hypershift-ts/kube-client';
import { EmbeddedCluster } from '@hypershift-ts/kube-embedded';
import { capiv1beta1, runClusterApi } from '@hypershift-ts/machines-cluster-api';
import { awsv1beta2 } from '@hypershift-ts/machines-providers';
import { namespace } from './world.ts';

const infraID = 'demo-abcde';
const ready = { type: 'merge', body: { status: { ready: true } } } as const;

export interface Cloud {
  /** The hosted cluster in which machines become nodes. */
  readonly hosted: Client;
  stop(): Promise<void>;
}

async function createCluster(client: Client): Promise<void> {
  const key = { namespace, name: 'demo' };
  const infrastructure = { metadata: key, spec: { region: 'us-east-1' } };
  await client.create(awsv1beta2.awsclusters, infrastructure as never);
  await client.patch(awsv1beta2.awsclusters, key, ready, { subresource: 'status' });
  await client.create(hostedControlPlanes, {
    metadata: key,
    spec: {
      releaseImage: 'x',
      pullSecret: { name: 'pull-secret' },
      sshKey: { name: '' },
      issuerURL: 'https://kubernetes.default.svc',
      infraID,
      platform: { type: 'None' },
      dns: { baseDomain: 'example.com' },
      etcd: { managementType: 'Managed', managed: { storage: { type: 'PersistentVolume' } } },
      services: ['APIServer', 'OAuthServer', 'Konnectivity', 'Ignition'].map((service) => ({
        service,
        servicePublishingStrategy: { type: 'NodePort', nodePort: { address: '127.0.0.1' } },
      })),
      networking: {},
    },
  } as never);
  const status = { ready: true, initialized: true, externalManagedControlPlane: true };
  await client.patch(hostedControlPlanes, key, { type: 'merge', body: { status } }, { subresource: 'status' });
  await client.create(capiv1beta1.clusters, {
    metadata: { namespace, name: infraID },
    spec: {
      infrastructureRef: {
        apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
        kind: 'AWSCluster',
        name: 'demo',
        namespace,
      },
      controlPlaneRef: {
        apiVersion: 'hypershift.openshift.io/v1beta1',
        kind: 'HostedControlPlane',
        name: 'demo',
        namespace,
      },
    },
  });
}

const condition = (type: string, status: string) => ({
  type,
  status,
  reason: 'Kubelet',
  message: 'told by the test',
  lastTransitionTime: formatTime(Date.now()),
});

const nodeStatus = (healthy: boolean) => ({
  // All that a kubelet tells: what it keeps to itself counts as unknown.
  conditions: [
    condition('Ready', healthy ? 'True' : 'False'),
    ...['MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => condition(type, 'False')),
  ],
  nodeInfo: {
    architecture: 'amd64',
    bootID: 'b',
    containerRuntimeVersion: 'cri-o://1.33',
    kernelVersion: '5.14',
    kubeProxyVersion: '',
    kubeletVersion: 'v1.33.5',
    machineID: 'm',
    operatingSystem: 'linux',
    osImage: 'Red Hat Enterprise Linux CoreOS 9.6.20251105-0',
    systemUUID: 's',
  },
});

/** Tells that a node is well or not, as its kubelet would. */
export const setNodeHealth = (hosted: Client, name: string, healthy: boolean) =>
  hosted.patch(
    corev1.nodes,
    { name },
    { type: 'merge', body: { status: nodeStatus(healthy) } },
    { subresource: 'status' },
  );

async function boot(client: Client, hosted: Client, name: string): Promise<void> {
  const type = awsv1beta2.awsmachines as unknown as ResourceType<KubeObject>;
  const providerID = `aws:///us-east-1a/${name}`;
  await client.patch(type, { namespace, name }, { type: 'merge', body: { spec: { providerID } } });
  const addresses = [{ type: 'InternalDNS', address: name }];
  const status = { ready: true, addresses, conditions: [condition('Ready', 'True')] };
  await client.patch(type, { namespace, name }, { type: 'merge', body: { status } }, { subresource: 'status' });
  await hosted.create(corev1.nodes, { metadata: { name }, spec: { providerID } });
  await setNodeHealth(hosted, name, true);
}

export async function startCloud(client: Client): Promise<Cloud> {
  const guest = await EmbeddedCluster.start({ controllers: true, nodes: [] });
  const hosted = guest.client();
  await createCluster(client);
  const stopper = new AbortController();
  const cache = new InformerCache({ client });
  const seen = new Set<string>();
  const look = ({ metadata }: KubeObject) => {
    const { name = '', ownerReferences = [], deletionTimestamp } = metadata;
    if (deletionTimestamp || seen.has(name) || !ownerReferences.some(({ kind }) => kind === 'Machine')) return;
    seen.add(name);
    // A machine that is deleted while it boots fails somewhere on the way, as it should.
    void boot(client, hosted, name).catch(() => {});
  };
  const informer = cache.informer(awsv1beta2.awsmachines as unknown as ResourceType<KubeObject>, { namespace });
  informer.addHandler({ added: look, updated: (_, next) => look(next) });
  cache.start();
  const running = runClusterApi({ client, namespace, hostedClient: () => hosted, signal: stopper.signal });
  return {
    hosted,
    async stop() {
      stopper.abort();
      await running;
      await cache.stop();
      await guest.stop();
    },
  };
}
