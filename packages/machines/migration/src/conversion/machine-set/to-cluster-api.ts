import { apiVersionOf, type metav1 } from '@hypershift-ts/kube-apimachinery';
import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { annotationsToClusterApi } from '../annotations.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { type Conversion, Findings } from '../findings.ts';
import type { InfraTemplate } from '../infra-objects.ts';
import { labelsToClusterApi, unlessEmpty } from '../labels.ts';
import { metadataToClusterApi, specToClusterApi } from '../machine/to-cluster-api.ts';
import { refuseNodeNames } from '../machine/unsupported.ts';
import { clusterApi, clusterApiNamespace, infrastructureGroup, machineApi } from '../names.ts';
import type { MachineApiSource, PlatformConversion } from '../platform-conversion.ts';
import { templateName } from '../template-name.ts';
import { statusToClusterApi } from './cluster-api-status.ts';

export interface ClusterApiMachineSet {
  readonly machineSet: capiv1beta2.MachineSet;
  readonly template: InfraTemplate;
}

/** A MachineSet of the Machine API as Cluster API says it, with the template that its machines are made from. */
export function machineSetToClusterApi(
  set: mapiv1beta1.MachineSet,
  platform: PlatformConversion,
  facts: ClusterFacts,
): Conversion<ClusterApiMachineSet> {
  const findings = new Findings();
  const name = set.metadata.name ?? '';
  const machine = machineOf(set);
  refuseNodeNames(set.spec.template?.metadata, 'spec.template.metadata', findings);
  const infra = platform.toClusterApi(machine, facts, findings);
  const template = templateFor(name, infra.spec, platform);
  const ref = { apiGroup: infrastructureGroup, kind: template.kind, name: template.metadata.name! };
  const { minReadySeconds, replicas, deletePolicy } = set.spec;
  const clusterName = facts.infrastructure.infrastructureName;
  const annotations = unlessEmpty(annotationsToClusterApi(set.metadata.annotations));
  const selector = selectorToClusterApi(set.spec.selector);
  const machineSet: capiv1beta2.MachineSet = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineSet',
    metadata: {
      name,
      namespace: clusterApiNamespace,
      labels: { ...labelsToClusterApi(set.metadata.labels), [clusterApi.labels.clusterName]: clusterName },
      ...(annotations ? { annotations } : {}),
    },
    spec: {
      clusterName,
      ...(replicas === undefined ? {} : { replicas }),
      selector,
      deletion: { order: deletePolicy || 'Random' },
      template: {
        metadata: metadataToClusterApi(machine, facts),
        spec: {
          ...specToClusterApi(machine.spec, infra, ref, facts, findings),
          ...(minReadySeconds ? { minReadySeconds } : {}),
        },
      },
    },
    status: statusToClusterApi(set, selector, facts.now),
  };
  return findings.result({ machineSet, template });
}

/** The machine that the set would make, as far as conversion cares. */
function machineOf({ metadata, spec }: mapiv1beta1.MachineSet): MachineApiSource {
  const { labels, annotations } = spec.template?.metadata ?? {};
  return {
    metadata: {
      ...(metadata.name === undefined ? {} : { name: metadata.name }),
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
    },
    spec: spec.template?.spec ?? {},
  };
}

function selectorToClusterApi({ matchLabels, matchExpressions }: metav1.LabelSelector = {}): metav1.LabelSelector {
  return {
    ...(matchLabels ? { matchLabels: labelsToClusterApi(matchLabels) } : {}),
    ...(matchExpressions ? { matchExpressions } : {}),
  };
}

function templateFor(machineSet: string, spec: object, { kinds, templateFields }: PlatformConversion): InfraTemplate {
  return {
    apiVersion: apiVersionOf(kinds.template),
    kind: kinds.template.kind,
    metadata: {
      name: templateName(machineSet, spec),
      namespace: clusterApiNamespace,
      labels: { [machineApi.labels.machineSet]: machineSet },
    },
    spec: { ...templateFields, template: { spec } },
  };
}
