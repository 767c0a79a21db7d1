import { apiVersionOf } from '@hypershift-ts/kube-apimachinery';
import type { ControlPlaneMachineSet, mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import type { InfrastructureFacts } from '../conversion/cluster-facts.ts';
import { type Conversion, Findings } from '../conversion/findings.ts';
import type { InfraObject } from '../conversion/infra-objects.ts';
import { clusterApiNamespace, machineApi } from '../conversion/names.ts';
import type { MachineApiSource, PlatformConversion } from '../conversion/platform-conversion.ts';
import type { Endpoint } from './endpoint.ts';

const managedBy = 'cluster.x-k8s.io/managed-by';
const self = 'cluster-capi-operator-infracluster-controller';

/** Whether an InfraCluster is ours to speak for; what others made they also keep. */
export const isOurs = ({ metadata }: InfraObject): boolean => metadata.annotations?.[managedBy] === self;

/** A description of a member of the control plane: of the set that makes them, or else of the newest there is. */
export function controlPlaneMember(
  set: ControlPlaneMachineSet | undefined,
  machines: readonly mapiv1beta1.Machine[],
): MachineApiSource | undefined {
  const made = set?.spec.template.machines_v1beta1_machine_openshift_io;
  if (set?.spec.state === 'Active' && made) return { metadata: made.metadata, spec: made.spec };
  const { role, type } = machineApi.labels;
  const created = ({ metadata }: mapiv1beta1.Machine) => metadata.creationTimestamp ?? '';
  return machines
    .filter(({ metadata: { labels } }) => labels?.[role] === 'master' && labels[type] === 'master')
    .toSorted((a, b) => created(b).localeCompare(created(a)))[0];
}

/** The InfraCluster for the cluster that all this runs on: it describes what is there, and nobody has to build it. */
export function desiredInfraCluster(
  member: MachineApiSource,
  { kinds, toInfraCluster }: PlatformConversion,
  infrastructure: InfrastructureFacts,
  endpoint: Endpoint,
): Conversion<InfraObject> | undefined {
  if (!toInfraCluster) return undefined;
  const findings = new Findings();
  return findings.result({
    apiVersion: apiVersionOf(kinds.cluster),
    kind: kinds.cluster.kind,
    metadata: {
      name: infrastructure.infrastructureName,
      namespace: clusterApiNamespace,
      annotations: { [managedBy]: self },
    },
    spec: toInfraCluster(member, { infrastructure, endpoint, findings }),
  });
}
