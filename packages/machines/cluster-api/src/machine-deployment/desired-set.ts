import type { Random } from '@hypershift-ts/kube-apimachinery';
import { randomNameSuffix } from '@hypershift-ts/kube-apimachinery';
import type { ApplyObject } from '@hypershift-ts/kube-client';
import { controllerReference } from '@hypershift-ts/kube-controller';
import { fnv1a32 } from '../fnv.ts';
import * as capi from '../generated/capiv1beta1.ts';
import { annotations, finalizers, labels } from '../keys.ts';
import { labelValueOf } from '../label-value.ts';
import { replicasOf, rollingLimits } from './limits.ts';
import { rolloutFields } from './template-equality.ts';

/** Who a set is, from the day it was made. */
export interface SetIdentity {
  readonly name: string;
  /** The value of its `machine-template-hash` label. */
  readonly hash: string;
}

export function newIdentity(deployment: capi.MachineDeployment, random: Random): SetIdentity {
  const suffix = randomNameSuffix(5, random);
  const hash = fnv1a32(JSON.stringify(rolloutFields(deployment.spec.template)));
  return { name: `${deployment.metadata.name}-${suffix}`, hash: `${hash}-${suffix}` };
}

export function identityOf({ metadata }: capi.MachineSet): SetIdentity {
  return { name: metadata.name ?? '', hash: metadata.labels?.[labels.templateHash] ?? '' };
}

/** Annotations that tell of the deployment itself, not of its machines. */
const notCopied: readonly string[] = [
  'kubectl.kubernetes.io/last-applied-configuration',
  'cluster.x-k8s.io/conversion-data',
  annotations.revision,
  annotations.revisionHistory,
  annotations.desiredReplicas,
  annotations.maxReplicas,
];

/** Annotations by which a deployment tells each of its sets what it was sized for. */
function sizeAnnotations(deployment: capi.MachineDeployment): { readonly [key: string]: string } {
  const replicas = replicasOf(deployment);
  return {
    [annotations.desiredReplicas]: String(replicas),
    [annotations.maxReplicas]: String(replicas + rollingLimits(deployment).surge),
  };
}

export interface DesiredSetInputs {
  readonly identity: SetIdentity;
  readonly replicas: number;
  readonly revision: string;
  readonly revisionHistory?: string | undefined;
}

/** The set that makes the machines a deployment wants now, with all that reaches machines without replacing them. */
export function desiredMachineSet(deployment: capi.MachineDeployment, inputs: DesiredSetInputs): ApplyObject {
  const { identity, replicas, revision, revisionHistory } = inputs;
  const { template, selector, clusterName, strategy, minReadySeconds, machineNamingStrategy } = deployment.spec;
  // A set taken over from elsewhere may have no hash; inventing one would change its selector.
  const hash: { readonly [key: string]: string } = identity.hash === '' ? {} : { [labels.templateHash]: identity.hash };
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !notCopied.includes(key));
  const deletePolicy = strategy?.rollingUpdate?.deletePolicy;
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'MachineSet',
    metadata: {
      name: identity.name,
      namespace: deployment.metadata.namespace ?? '',
      labels: {
        ...template.metadata?.labels,
        ...hash,
        [labels.clusterName]: clusterName,
        [labels.deploymentName]: labelValueOf(deployment.metadata.name ?? ''),
      },
      annotations: {
        ...Object.fromEntries(copied),
        ...sizeAnnotations(deployment),
        [annotations.revision]: revision,
        ...(revisionHistory ? { [annotations.revisionHistory]: revisionHistory } : {}),
        [annotations.disableMachineCreate]: 'false',
      },
      ownerReferences: [controllerReference(capi.machinedeployments, deployment)],
      finalizers: [finalizers.machineSet],
    },
    spec: {
      clusterName,
      replicas,
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      ...(deletePolicy === undefined ? {} : { deletePolicy }),
      ...(machineNamingStrategy === undefined ? {} : { machineNamingStrategy }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, ...hash } },
      template: {
        ...template,
        metadata: { ...template.metadata, labels: { ...template.metadata?.labels, ...hash } },
      },
    },
  };
}

/** What still changes about a set of an older revision: its size, and how its machines are taken down. */
export function oldSetPatch(
  deployment: capi.MachineDeployment,
  set: capi.MachineSet,
  replicas: number,
  mayCreate: boolean,
): object {
  const { nodeDrainTimeout, nodeVolumeDetachTimeout, nodeDeletionTimeout } = deployment.spec.template.spec;
  const timeouts = { nodeDrainTimeout, nodeVolumeDetachTimeout, nodeDeletionTimeout };
  const current = set.spec.template?.spec;
  const changed = Object.entries(timeouts).filter(
    ([name, value]) => current?.[name as keyof typeof timeouts] !== value,
  );
  const told = { ...sizeAnnotations(deployment), [annotations.disableMachineCreate]: mayCreate ? 'false' : 'true' };
  const toTell = Object.entries(told).filter(([name, value]) => set.metadata.annotations?.[name] !== value);
  const spec = {
    ...(replicasOf(set) === replicas ? {} : { replicas }),
    ...(changed.length === 0
      ? {}
      : { template: { spec: Object.fromEntries(changed.map(([name, value]) => [name, value ?? null])) } }),
  };
  return {
    ...(toTell.length === 0 ? {} : { metadata: { annotations: Object.fromEntries(toTell) } }),
    ...(Object.keys(spec).length === 0 ? {} : { spec }),
  };
}
