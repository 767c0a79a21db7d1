import type { appsv1, corev1, LabelSelector } from '@hypershift-ts/kube-apimachinery';
import { appsv1 as apps, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { NewObject } from '@hypershift-ts/kube-client';
import { controllerReference } from '@hypershift-ts/kube-controller';
import { olderFirst } from '../workload/pod-state.ts';
import { canonicalJson, templateHash } from '../workload/pod-template.ts';
import { newSetAnnotations } from './revision.ts';

type Deployment = appsv1.Deployment;
type ReplicaSet = appsv1.ReplicaSet;
type PodTemplateSpec = corev1.PodTemplateSpec;

const hashLabel = 'pod-template-hash';

/** Whether two templates ask for the same pods, whatever hash label they carry. */
export function equalIgnoringHash(a: PodTemplateSpec, b: PodTemplateSpec): boolean {
  const left = withoutHash(a);
  const right = withoutHash(b);
  return jsonEqual(left, right) || canonicalJson(left) === canonicalJson(right);
}

function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const labels = template.metadata?.labels;
  if (labels?.[hashLabel] === undefined) return template;
  const { [hashLabel]: _hash, ...others } = labels;
  return { ...template, metadata: { ...template.metadata, labels: others } };
}

/** The ReplicaSet of the deployment's present template; the oldest when several match, so that the choice is stable. */
export function findNewSet(deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  return [...sets]
    .sort(olderFirst)
    .find(({ spec }) => spec.template && equalIgnoringHash(spec.template, deployment.spec.template));
}

/** The ReplicaSet to create for the deployment's present template. */
export function desiredNewSet(deployment: Deployment, replicas: number, revision: number): NewObject<ReplicaSet> {
  const { name = '', namespace = '' } = deployment.metadata;
  const { template, selector, minReadySeconds } = deployment.spec;
  const hash = templateHash(template, deployment.status?.collisionCount);
  const labels = { ...template.metadata?.labels, [hashLabel]: hash };
  return {
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels,
      annotations: newSetAnnotations(deployment, undefined, revision),
      ownerReferences: [controllerReference(apps.deployments, deployment)],
    },
    spec: {
      replicas,
      ...(minReadySeconds ? { minReadySeconds } : {}),
      selector: withHash(selector as LabelSelector, hash),
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

function withHash(selector: LabelSelector, hash: string): LabelSelector {
  return { ...selector, matchLabels: { ...selector.matchLabels, [hashLabel]: hash } };
}
