import type { ControlPlaneComponent } from '@hypershift-ts/hypershift-api';
import { findCondition, isConditionTrue } from '@hypershift-ts/kube-apimachinery';
import { type Cause, clusterCause, nodePoolCause } from '../progress/index.ts';
import { componentNode, isWaitingForOthers } from './component-nodes.ts';
import type { ClusterFacts } from './facts.ts';
import { podProblem } from './pod-nodes.ts';

/** Conditions that speak about the running control plane; earlier ones tell the cause themselves. */
const aboutWorkloads = new Set([undefined, 'Available', 'Progressing', 'EtcdAvailable', 'KubeAPIServerAvailable']);

const isDone = ({ status }: ControlPlaneComponent) =>
  isConditionTrue(status?.conditions, 'Available') && isConditionTrue(status?.conditions, 'RolloutComplete');

/** The component that keeps the others waiting, and the pod that keeps the component back. */
function workloadCause({ components, pods, controlPlaneNamespace: namespace }: ClusterFacts): Cause | undefined {
  const guilty = components.filter((component) => !isDone(component) && !isWaitingForOthers(component));
  const nodes = guilty.map((component) => ({ component, node: componentNode(component, pods) }));
  const worst = nodes.find(({ node }) => node.state === 'bad') ?? nodes[0];
  if (!worst) return undefined;
  const podName = worst.node.children?.find(({ state }) => state === 'bad')?.name;
  const pod = pods.find(({ metadata }) => metadata.name === podName);
  if (pod) return { subject: `Pod ${namespace}/${podName}`, message: podProblem(pod) ?? 'it fails' };
  const { component } = worst;
  const conditions = component.status?.conditions;
  const told = ['RolloutComplete', 'Available']
    .map((type) => findCondition(conditions, type))
    .find((one) => one?.status === 'False');
  if (!told) return undefined;
  return {
    subject: `ControlPlaneComponent ${namespace}/${component.metadata.name}`,
    condition: told.type,
    ...(told.reason ? { reason: told.reason } : {}),
    message: told.message || 'it is not rolled out',
  };
}

/** The deepest known reason why a cluster is not as it should be; undefined when it is. */
export function rootCause(facts: ClusterFacts): Cause | undefined {
  const cause = clusterCause(facts.cluster);
  if (!cause) return facts.nodePools.map(nodePoolCause).find((one) => one !== undefined);
  if (facts.cluster.metadata.deletionTimestamp || !aboutWorkloads.has(cause.condition)) return cause;
  return workloadCause(facts) ?? cause;
}
