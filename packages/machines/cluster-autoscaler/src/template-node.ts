import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { controllerOf } from '@hypershift-ts/kube-controller';
import type { NodeGroup } from './node-group.ts';

type Node = corev1.Node;
type Pod = corev1.Pod;

/** The next node of a group as far as it can be foreseen, and the pods it would have from the start. */
export interface TemplateNode {
  readonly node: Node;
  readonly daemons: readonly Pod[];
}

const prefix = 'capacity.cluster-autoscaler.kubernetes.io';
/** Taints that tell of the state of one node, not of its kind. */
const passing =
  /^(node\.kubernetes\.io\/|node\.cloudprovider\.kubernetes\.io\/|node\.cluster\.x-k8s\.io\/uninitialized|(ToBeDeleted|DeletionCandidateOf)(By)?ClusterAutoscaler)/;

/** Pods that come with a node and are never a reason to keep or to add one. */
export const isDaemon = (pod: Pod): boolean =>
  controllerOf(pod)?.kind === 'DaemonSet' || pod.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;

/** Like a node that the group has already. */
export function templateFromNode(group: NodeGroup, node: Node, pods: readonly Pod[]): TemplateNode {
  const { 'kubernetes.io/hostname': _hostname, ...labels } = node.metadata.labels ?? {};
  const taints = (node.spec?.taints ?? []).filter(({ key }) => !passing.test(key));
  return template(group, { labels, taints, allocatable: node.status?.allocatable ?? {} }, pods.filter(isDaemon));
}

type Resources = { readonly [resource: string]: string };

/** From what the group's annotations or its infrastructure template say about machines that do not exist yet. */
export function templateFromCapacity(
  group: NodeGroup,
  capacity: Resources | undefined,
  daemons: readonly Pod[],
): TemplateNode | undefined {
  const annotations = group.owner.metadata.annotations ?? {};
  const allocatable = { ...capacity, ...capacityIn(annotations) };
  if (!allocatable['cpu'] || !allocatable['memory']) return undefined;
  const labels = Object.fromEntries(listIn(annotations, 'labels').map((pair) => splitOnce(pair, '=')));
  const taints = listIn(annotations, 'taints').flatMap((text) => taintIn(text));
  return template(group, { labels, taints, allocatable: { pods: '110', ...allocatable } }, daemons);
}

function capacityIn(annotations: Resources): Resources {
  const own = (name: string) => annotations[`${prefix}/${name}`];
  const openShift = (name: string) => annotations[`machine.openshift.io/${name}`];
  const memoryMb = openShift('memoryMb');
  const gpus = own('gpu-count') ?? openShift('GPU');
  const found: { readonly [resource: string]: string | undefined } = {
    cpu: own('cpu') ?? openShift('vCPU'),
    memory: own('memory') ?? (memoryMb && `${memoryMb}Mi`),
    pods: own('maxPods'),
    'ephemeral-storage': own('ephemeral-disk'),
    ...(gpus && gpus !== '0' ? { [own('gpu-type') ?? 'nvidia.com/gpu']: gpus } : {}),
  };
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

const listIn = (annotations: Resources, name: string): readonly string[] =>
  (annotations[`${prefix}/${name}`] ?? '').split(',').filter((text) => text !== '');

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** `key=value:effect` or `key:effect`. */
function taintIn(text: string): readonly corev1.Taint[] {
  const [name, effect] = splitOnce(text, ':');
  if (!['NoSchedule', 'NoExecute', 'PreferNoSchedule'].includes(effect)) return [];
  const [key, value] = splitOnce(name, '=');
  return [{ key, effect, ...(value === '' ? {} : { value }) }];
}

function template(
  group: NodeGroup,
  kind: { readonly labels: Resources; readonly taints: readonly corev1.Taint[]; readonly allocatable: Resources },
  daemons: readonly Pod[],
): TemplateNode {
  const name = `template-node-for-${group.id.toLowerCase().replace('/', '-')}`;
  const node: Node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64', ...kind.labels } },
    spec: { taints: kind.taints },
    status: { allocatable: kind.allocatable, capacity: kind.allocatable },
  };
  return { node, daemons };
}

/** One of several nodes like the template, under its own name. */
export function nodeLike({ node }: TemplateNode, index: number): Node {
  const name = `${node.metadata.name}-${index}`;
  const labels = { ...node.metadata.labels, 'kubernetes.io/hostname': name };
  return { ...node, metadata: { ...node.metadata, name, labels } };
}
