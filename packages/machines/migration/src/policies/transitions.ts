import {
  type AdmissionPolicy,
  authorityChanges,
  definePolicy,
  type MachineKind,
  notTheControllers,
  resourceOf,
  sameName,
  sides,
} from './policy.ts';

const { machineApi } = sides;

/** A machine that comes or goes keeps the authority under which it started to. */
export const noTransitionWhileUpdating: AdmissionPolicy = definePolicy({
  name: 'openshift-prevent-migration-when-machine-updating',
  operations: ['UPDATE'],
  resources: { group: machineApi.group, names: [resourceOf('Machine')] },
  namespace: machineApi.namespace,
  variables: { authorityChanges },
  validations: [
    {
      expression: '!variables.authorityChanges || object.?status.?phase.orValue("") != "Provisioning"',
      message: 'Cannot update .spec.authoritativeAPI when machine is in Provisioning phase',
    },
    {
      expression: '!variables.authorityChanges || !has(object.metadata.deletionTimestamp)',
      message: 'Cannot update .spec.authoritativeAPI when machine has a non-zero deletion timestamp',
    },
  ],
});

/** A change of authority waits until both copies agree; whoever asks for it should know. */
export function warningWhenNotSynchronized(kind: MachineKind): AdmissionPolicy {
  return definePolicy({
    // Upstream warns for machines only, under the name without a suffix.
    name: `openshift-provide-warning-when-not-synchronized${kind === 'Machine' ? '' : '-machine-set'}`,
    operations: ['UPDATE'],
    resources: { group: machineApi.group, names: [resourceOf(kind)] },
    namespace: machineApi.namespace,
    validations: [
      {
        expression: `!(${authorityChanges}) || object.?status.?conditions.orValue([]).exists(c, c.type == "Synchronized" && c.status == "True")`,
        message:
          'Updating .spec.authoritativeAPI when the Synchronized condition is not true means changes may not take effect',
      },
    ],
    action: 'Warn',
  });
}

/** Only a machine that exists on the other side, and stays there, can be handed over. */
export const readyForTransition: AdmissionPolicy = definePolicy({
  name: 'openshift-mapi-authoritative-api-transition-requires-capi-infrastructure-ready-and-not-deleting',
  operations: ['UPDATE'],
  resources: { group: machineApi.group, version: machineApi.version, names: [resourceOf('Machine')] },
  namespace: machineApi.namespace,
  copies: { side: 'clusterApi', kind: 'Machine' },
  conditions: [notTheControllers, sameName],
  variables: { authorityChanges },
  validations: [
    {
      expression:
        '!variables.authorityChanges || params.?status.?initialization.?infrastructureProvisioned.orValue(false)',
      message:
        "spec.authoritativeAPI may only be updated when the Cluster API Machine's status.initialization.infrastructureProvisioned is true.",
    },
    {
      expression: '!variables.authorityChanges || !has(params.metadata.deletionTimestamp)',
      message:
        'spec.authoritativeAPI cannot be modified while the corresponding CAPI Machine is being deleted (metadata.deletionTimestamp is set).',
    },
  ],
});
