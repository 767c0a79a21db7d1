import { annotationPrefixes } from '@hypershift-ts/hypershift-api';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { ContainerDeclaration } from '../pod.ts';

type Annotations = Readonly<Record<string, string>> | undefined;

/**
 * Requests and limits of a container: what runs already stays (autoscalers and people may have changed it), a request
 * override in an annotation of the cluster wins over both.
 */
export function resourcesOf(
  { name, cpu, memory }: ContainerDeclaration,
  workload: string,
  annotations: Annotations,
  live: corev1.ResourceRequirements | undefined,
): corev1.ResourceRequirements {
  const declared = { ...(cpu ? { cpu } : {}), ...(memory ? { memory } : {}) };
  const kept = live?.requests ?? (Object.keys(declared).length > 0 ? declared : undefined);
  const override = requestOverride(workload, name, annotations);
  const requests = kept || override ? { ...kept, ...override } : undefined;
  return { ...(requests ? { requests } : {}), ...(live?.limits ? { limits: live.limits } : {}) };
}

/** `cpu=2000m,memory=3Gi` of `resource-request-override.../<workload>.<container>`; what cannot be read is left out. */
export function requestOverride(
  workload: string,
  container: string,
  annotations: Annotations,
): Readonly<Record<string, string>> | undefined {
  const text = annotations?.[`${annotationPrefixes.resourceRequestOverride.prefix}${workload}.${container}`];
  if (text === undefined) return undefined;
  const pairs = text.split(',').map((pair) => pair.split('=').map((part) => part.trim()));
  const valid = pairs.filter(
    ([resource, amount]) => resource && amount && /^\d+(\.\d+)?([a-zA-Z]{1,2})?$/.test(amount),
  );
  return Object.fromEntries(valid as [string, string][]);
}
