import type { metav1 } from '@hypershift-ts/kube-apimachinery';
import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { annotationsToMachineApi } from '../annotations.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { type Conversion, Findings } from '../findings.ts';
import type { InfraTemplate } from '../infra-objects.ts';
import { labelsToMachineApi, unlessEmpty } from '../labels.ts';
import { metadataToMachineApi, specToMachineApi } from '../machine/to-machine-api.ts';
import { machineApiNamespace } from '../names.ts';
import type { ClusterApiSource, PlatformConversion } from '../platform-conversion.ts';
import { statusToMachineApi } from './machine-api-status.ts';

/** A MachineSet of Cluster API and the template of its machines as the Machine API says them. */
export function machineSetToMachineApi(
  { machineSet, template }: { readonly machineSet: capiv1beta2.MachineSet; readonly template: InfraTemplate },
  platform: PlatformConversion,
  facts: ClusterFacts,
): Conversion<mapiv1beta1.MachineSet> {
  const findings = new Findings();
  const machine: ClusterApiSource = {
    metadata: machineSet.spec.template.metadata ?? {},
    spec: machineSet.spec.template.spec,
  };
  platform.refuseTemplate(template, findings);
  findings.ignored('spec', machineSet.spec, {
    machineNaming: 'machineNaming has no equivalent in MAPI, machines get the names of their set, ignoring',
  });
  const provider = platform.toMachineApi({ spec: template.spec.template.spec }, machine, facts, findings);
  const labels = unlessEmpty(labelsToMachineApi(machineSet.metadata.labels));
  const annotations = unlessEmpty(annotationsToMachineApi(machineSet.metadata.annotations));
  const made = metadataToMachineApi(machine);
  const madeLabels = unlessEmpty(made.labels);
  const madeAnnotations = unlessEmpty(made.annotations);
  const { replicas, deletion, selector } = machineSet.spec;
  const { minReadySeconds } = machineSet.spec.template.spec;
  return findings.result({
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'MachineSet',
    metadata: {
      ...(machineSet.metadata.name === undefined ? {} : { name: machineSet.metadata.name }),
      namespace: machineApiNamespace,
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
    },
    spec: {
      ...(replicas === undefined ? {} : { replicas }),
      ...(minReadySeconds ? { minReadySeconds } : {}),
      ...(deletion?.order ? { deletePolicy: deletion.order } : {}),
      selector: selectorToMachineApi(selector),
      template: {
        metadata: {
          ...(madeLabels ? { labels: madeLabels } : {}),
          ...(madeAnnotations ? { annotations: madeAnnotations } : {}),
        },
        spec: specToMachineApi(machine, provider, findings),
      },
    },
    status: statusToMachineApi(machineSet.status),
  });
}

function selectorToMachineApi({ matchLabels, matchExpressions }: metav1.LabelSelector): metav1.LabelSelector {
  return {
    ...(matchLabels ? { matchLabels: labelsToMachineApi(matchLabels) } : {}),
    ...(matchExpressions ? { matchExpressions } : {}),
  };
}
