import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { daemonStateOf, drainBlockedAnnotation } from '../machines/daemon-protocol.ts';

export interface UpgradeFacts {
  readonly nodes: readonly corev1.Node[];
  readonly target: string;
  /** What the MachineSet says its machines run. */
  readonly current: string;
  readonly maxUnavailable: number;
}

export interface UpgradePlan {
  /** A node that cannot go on; nothing more is begun. */
  readonly degraded?: { readonly node: string; readonly reason: string };
  readonly finished: boolean;
  readonly upgraded: readonly corev1.Node[];
  /** Nodes to be told the target now. */
  readonly start: readonly corev1.Node[];
  /** Nodes that need a daemon, those to be told included. */
  readonly busy: readonly corev1.Node[];
  readonly progress: string;
}

/** Whether a node has something to do before it runs the target. */
function needsUpgrade(node: corev1.Node, { target, current }: UpgradeFacts): boolean {
  const state = daemonStateOf(node);
  if (state.desiredDrain !== state.appliedDrain) return true;
  // A machine that was born with the target never had a daemon.
  if (state.current === '' && current === target) return false;
  return state.current !== target || state.state !== 'Done';
}

const nameOf = ({ metadata }: corev1.Node): string => metadata.name ?? '';

/** What to do next for the nodes of a pool that upgrades in place. */
export function upgradePlan(facts: UpgradeFacts): UpgradePlan {
  const { nodes, target, maxUnavailable } = facts;
  const upgraded = nodes.filter((node) => !needsUpgrade(node, facts));
  const sick = nodes.find((node) => daemonStateOf(node).state === 'Degraded');
  const start = sick ? [] : nodesToStart(nodes, target, maxUnavailable);
  const busy = nodes.filter((node) => start.includes(node) || !isIdle(node));
  const blocked = nodes
    .map((node) => node.metadata.annotations?.[drainBlockedAnnotation])
    .filter((text) => text !== undefined && text !== '');
  const counted = `Nodepool update in progress. Target Config version: ${target}. Total Nodes: ${nodes.length}. Upgraded: ${upgraded.length}`;
  return {
    ...(sick ? { degraded: { node: nameOf(sick), reason: daemonStateOf(sick).reason } } : {}),
    finished: upgraded.length === nodes.length,
    upgraded,
    start,
    busy,
    progress: blocked.length > 0 ? `${counted}. ${blocked.join('. ')}` : counted,
  };
}

/** Idle nodes as far as others are not at work already, and nodes on their way to an older target. */
function nodesToStart(nodes: readonly corev1.Node[], target: string, maxUnavailable: number): readonly corev1.Node[] {
  const states = nodes.map((node) => ({ node, ...daemonStateOf(node) }));
  const isMoving = ({ current, desired }: { current: string; desired: string }) => current !== desired;
  const capacity = Math.max(0, maxUnavailable - states.filter(isMoving).length);
  const candidates = states.filter((one) => one.desired !== target && !isMoving(one)).slice(0, capacity);
  const redirected = states.filter((one) => one.desired !== target && isMoving(one));
  return [...redirected, ...candidates].map(({ node }) => node);
}

/** Nothing for a daemon to do on the node. */
function isIdle(node: corev1.Node): boolean {
  const { current, desired, state, desiredDrain, appliedDrain } = daemonStateOf(node);
  return current === desired && desiredDrain === appliedDrain && (state === 'Done' || state === '');
}
