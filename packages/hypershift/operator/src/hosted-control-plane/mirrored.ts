import {
  annotations as known,
  type HostedCluster,
  isMirroredAnnotation,
  mirroredLabelPrefix,
} from '@hypershift-ts/hypershift-api';

type StringMap = { readonly [key: string]: string };

function replaced(live: StringMap, source: StringMap, isOurs: (key: string) => boolean): { [key: string]: string } {
  return Object.fromEntries([
    ...Object.entries(live).filter(([key]) => !isOurs(key)),
    ...Object.entries(source).filter(([key]) => isOurs(key)),
  ]);
}

export interface MirrorFacts {
  /** Whether any NodePool scales itself. */
  readonly autoscaling: boolean;
  /** Whether any NodePool has machines the cloud may take away. */
  readonly interruptible: boolean;
}

/** Annotations of the control plane; what others wrote there stays. */
export function controlPlaneAnnotations(
  { metadata, spec }: HostedCluster,
  live: StringMap,
  { autoscaling, interruptible }: MirrorFacts,
): StringMap {
  const source = metadata.annotations ?? {};
  const next = replaced(live, source, isMirroredAnnotation);
  next[known.cluster.key] = `${metadata.namespace}/${metadata.name}`;
  const restart = source[known.restartDate.key];
  // Certificates that were renewed restart pods through the same annotation, so a date is carried over once only.
  if (restart && live[known.previousRestartDate.key] !== restart) {
    next[known.restartDate.key] = restart;
    next[known.previousRestartDate.key] = restart;
  }
  setFlag(next, known.disableClusterAutoscaler.key, !autoscaling);
  setFlag(next, known.disableAwsNodeTerminationHandler.key, !interruptible);
  // Older control planes read the annotation only, newer ones the field only.
  const forwarding = spec.monitoring?.metricsForwarding?.mode;
  if (forwarding === 'Forward') next[known.enableMetricsForwarding.key] = 'true';
  if (forwarding === 'None') delete next[known.enableMetricsForwarding.key];
  return next;
}

function setFlag(map: { [key: string]: string }, key: string, on: boolean): void {
  if (on) map[key] = 'true';
  else delete map[key];
}

/** Labels of the control plane: those the fleet manager puts on the cluster, removals included. */
export function controlPlaneLabels({ metadata }: HostedCluster, live: StringMap): StringMap {
  return replaced(live, metadata.labels ?? {}, (key) => key.startsWith(mirroredLabelPrefix));
}
