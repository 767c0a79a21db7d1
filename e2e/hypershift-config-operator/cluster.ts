import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { namespace, type TwoClusters } from './harness.ts';

const bootstrap = { dataSecretName: 'user-data' };

/** A Machine of an in-place or replaced pool and the Node it became. */
export async function addMachine(
  { client, guest }: TwoClusters,
  name: string,
  options: {
    annotations?: Record<string, string>;
    labels?: Record<string, string>;
    owner?: capiv1beta1.MachineSet;
  } = {},
): Promise<void> {
  const owner = options.owner && {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'MachineSet',
    name: options.owner.metadata.name ?? '',
    uid: options.owner.metadata.uid ?? '',
    controller: true,
  };
  const machine = await client.create(capiv1beta1.machines, {
    metadata: {
      namespace,
      name,
      annotations: { 'hypershift.openshift.io/nodePool': 'clusters/workers', ...options.annotations },
      labels: { 'cluster.x-k8s.io/cluster-name': 'demo-abcde', ...options.labels },
      ...(owner ? { ownerReferences: [owner] } : {}),
    },
    spec: {
      clusterName: 'demo-abcde',
      bootstrap,
      infrastructureRef: { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1', kind: 'AgentMachine', name },
    },
  } as never);
  const nodeRef = { apiVersion: 'v1', kind: 'Node', name };
  const status = { nodeRef };
  await client.patch(
    capiv1beta1.machines,
    machine.metadata as { name: string },
    { type: 'merge', body: { status } },
    {
      subresource: 'status',
    },
  );
  await guest.create(corev1.nodes, {
    metadata: {
      name,
      annotations: { 'cluster.x-k8s.io/machine': name, 'cluster.x-k8s.io/cluster-namespace': namespace },
    },
  });
}
