import type { corev1 } from '@hypershift-ts/kube-apimachinery';

const prefix = 'machineconfiguration.openshift.io';

/** Annotations of a Node by which the machine config daemon, the upgrader and the drainer talk to each other. */
export const daemonAnnotations = {
  currentConfig: `${prefix}/currentConfig`,
  desiredConfig: `${prefix}/desiredConfig`,
  state: `${prefix}/state`,
  reason: `${prefix}/reason`,
  desiredDrain: `${prefix}/desiredDrain`,
  lastAppliedDrain: `${prefix}/lastAppliedDrain`,
} as const;

/** Ours: since when a drain is under way, and what holds it up. */
export const drainStartedAnnotation = 'hypershift-ts.io/drain-started';
export const drainBlockedAnnotation = 'hypershift-ts.io/drain-blocked';

export interface DaemonState {
  readonly current: string;
  readonly desired: string;
  readonly state: string;
  readonly reason: string;
  readonly desiredDrain: string;
  readonly appliedDrain: string;
}

export function daemonStateOf({ metadata }: corev1.Node): DaemonState {
  const value = (key: string) => metadata.annotations?.[key] ?? '';
  return {
    current: value(daemonAnnotations.currentConfig),
    desired: value(daemonAnnotations.desiredConfig),
    state: value(daemonAnnotations.state),
    reason: value(daemonAnnotations.reason),
    desiredDrain: value(daemonAnnotations.desiredDrain),
    appliedDrain: value(daemonAnnotations.lastAppliedDrain),
  };
}

export const daemonPodName = (node: string): string => `machine-config-daemon-${node}`;
