import {
  type AdmissionPolicy,
  definePolicy,
  type MachineKind,
  notTheControllers,
  resourceOf,
  sameName,
  sides,
} from './policy.ts';

const { machineApi, clusterApi } = sides;

/** A Machine API object whose Cluster API counterpart is there already can only follow it. */
function machineApiCreation(kind: MachineKind, name: string, wording: (authority: string) => string): AdmissionPolicy {
  return definePolicy({
    name,
    operations: ['CREATE'],
    resources: { group: machineApi.group, names: [resourceOf(kind)] },
    namespace: machineApi.namespace,
    copies: { side: 'clusterApi', kind },
    conditions: [sameName],
    validations: [
      {
        expression: 'object.spec.?authoritativeAPI.orValue("") == "ClusterAPI"',
        messageExpression: `"Can't create Machine API ${kind} " + object.metadata.name + ${wording(
          'object.spec.?authoritativeAPI.orValue("<unset>")',
        )} + " because a Cluster API ${kind} with the same name already exists."`,
      },
    ],
  });
}

export const machineApiMachineCreation: AdmissionPolicy = machineApiCreation(
  'Machine',
  'openshift-only-create-mapi-machine-if-authoritative-api-capi',
  (authority) => `" with authoritativeAPI=" + ${authority}`,
);

export const machineApiMachineSetCreation: AdmissionPolicy = machineApiCreation(
  'MachineSet',
  'openshift-prevent-authoritative-mapi-machineset-create-when-capi-exists',
  (authority) => `" with spec.authoritativeAPI: " + ${authority}`,
);

const isPaused = (conditions: string) =>
  `${conditions}.orValue([]).exists(c, c.type == "Paused" && c.status == "True")`;

/** A Cluster API object beside a Machine API one must not act while the other does. */
export function clusterApiCreation(kind: MachineKind): AdmissionPolicy {
  const noun = kind === 'Machine' ? 'machine' : 'machine set';
  return definePolicy({
    name: `openshift-validate-capi-${noun.replace(' ', '-')}-creation`,
    operations: ['CREATE'],
    resources: { group: clusterApi.group, version: clusterApi.version, names: [resourceOf(kind)] },
    namespace: clusterApi.namespace,
    copies: { side: 'machineApi', kind },
    conditions: [notTheControllers, sameName],
    variables: {
      authority: 'params.?status.?authoritativeAPI.orValue("<unset>")',
      paused: `"cluster.x-k8s.io/paused" in object.metadata.?annotations.orValue({}) || ${isPaused('object.?status.?conditions')}`,
      otherPaused: isPaused('params.?status.?conditions'),
    },
    validations: [
      {
        expression: 'variables.authority != "MachineAPI" || variables.paused',
        messageExpression: `"Can't create Cluster API ${kind} " + object.metadata.name + " in an un-paused state. Either pause the ${noun}, or change the authoritative API of the MAPI ${noun}: " + object.metadata.name + "."`,
      },
      {
        expression: 'variables.authority != "ClusterAPI" || variables.otherPaused',
        messageExpression: `"Can't create Cluster API ${kind} " + object.metadata.name + " as a Machine API ${kind} with status.authoritativeAPI: " + variables.authority + " already exists and is not paused. "`,
      },
    ],
  });
}
