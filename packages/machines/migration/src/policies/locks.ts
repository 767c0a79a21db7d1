import {
  type AdmissionPolicy,
  definePolicy,
  type MachineKind,
  notTheControllers,
  resourceOf,
  type Rule,
  sameName,
  type SideName,
  sides,
} from './policy.ts';

/** The fields of a Machine API spec that follow Cluster API once that has authority: all but the authority itself. */
const followers: { readonly [kind in MachineKind]: readonly string[] } = {
  Machine: ['lifecycleHooks', 'metadata', 'providerID', 'providerSpec', 'taints'],
  MachineSet: ['deletePolicy', 'minReadySeconds', 'replicas', 'selector', 'template'],
};

/** Nothing in the spec has changed but who should have authority. */
const onlyAuthorityChanges = (kind: MachineKind): string =>
  followers[kind].map((field) => `object.spec.?${field} == oldObject.spec.?${field}`).join(' && ');

const variables = {
  labels: 'object.metadata.?labels.orValue({})',
  oldLabels: 'oldObject.metadata.?labels.orValue({})',
  labelKeys: 'variables.labels.map(key, key) + variables.oldLabels.map(key, key)',
  annotations: 'object.metadata.?annotations.orValue({})',
  oldAnnotations: 'oldObject.metadata.?annotations.orValue({})',
  annotationKeys: 'variables.annotations.map(key, key) + variables.oldAnnotations.map(key, key)',
  copyLabels: 'params.metadata.?labels.orValue({})',
};

const ownLabel =
  "key.startsWith('machine.openshift.io') || key.startsWith('kubernetes.io') || key.contains('cluster.x-k8s.io/')";
const ownAnnotation =
  "key.startsWith('machine.openshift.io') || key.contains('cluster.x-k8s.io') || key.contains('clusters.x-k8s.io')";

/** What no user may change of a copy. */
function metadataRules(authority: string, kind: MachineKind): readonly Rule[] {
  const because = `This is because status.authoritativeAPI is set to ${authority}.`;
  const copy = kind === 'Machine' ? 'machine' : kind;
  return [
    {
      expression: `variables.labelKeys.all(key, !(${ownLabel}) || variables.labels[?key] == variables.oldLabels[?key])`,
      message: `Cannot add, modify or delete any machine.openshift.io/*, kubernetes.io/* or cluster.x-k8s.io/* label. ${because}`,
    },
    {
      expression: `variables.annotationKeys.all(key, !(${ownAnnotation}) || variables.annotations[?key] == variables.oldAnnotations[?key])`,
      message: `Cannot add, modify or delete any machine.openshift.io/* or cluster.x-k8s.io/* or clusters.x-k8s.io/* annotation. ${because}`,
    },
    {
      expression:
        'variables.copyLabels.all(key, variables.labels[?key] == variables.oldLabels[?key] || variables.labels[?key] == variables.copyLabels[?key])',
      message: `Cannot modify a ${authority} controlled label except to match the ${authority} mirrored ${copy}. ${because}`,
    },
    ...(kind === 'Machine'
      ? [
          {
            expression: "variables.labels[?'machine-template-hash'] == variables.oldLabels[?'machine-template-hash']",
            message: "Setting the 'machine-template-hash' label is forbidden.",
          },
        ]
      : []),
  ];
}

const authorityOf = (side: SideName) =>
  side === 'machineApi'
    ? 'object.?status.?authoritativeAPI.orValue("")'
    : 'params.?status.?authoritativeAPI.orValue("")';

const prefixes = { machineApi: 'machine-api', clusterApi: 'cluster-api' } as const;
const suffixes = { Machine: 'machine', MachineSet: 'machine-set' } as const;

/** Keeps users from editing the copy that has no authority: whatever they say there would be overwritten. */
export function copyLock(side: SideName, kind: MachineKind): AdmissionPolicy {
  const { group, version, namespace } = sides[side];
  const other = side === 'machineApi' ? 'clusterApi' : 'machineApi';
  const authority = sides[other].title;
  const value = other === 'clusterApi' ? 'ClusterAPI' : 'MachineAPI';
  const because = `This is because status.authoritativeAPI is set to ${authority}.`;
  const specRule: Rule =
    side === 'machineApi'
      ? {
          expression: onlyAuthorityChanges(kind),
          message: `You may only modify spec.authoritativeAPI. Any other change inside .spec is not allowed. ${because}`,
        }
      : { expression: 'object.spec == oldObject.spec', message: `Changing .spec is not allowed. ${because}` };
  return definePolicy({
    name: `${prefixes[side]}-${suffixes[kind]}-vap`,
    operations: ['UPDATE'],
    resources: { group, version, names: [resourceOf(kind)] },
    namespace,
    copies: { side: other, kind },
    conditions: [
      notTheControllers,
      sameName,
      { name: `check-authoritativeapi-${value.toLowerCase()}`, expression: `${authorityOf(side)} == "${value}"` },
    ],
    variables,
    validations: [specRule, ...metadataRules(authority, kind)],
  });
}

/**
 * Keeps users from editing either copy during a handover. Upstream has no such rule; there, an edit at this moment
 * leaves the handover waiting for a synchronisation that never comes.
 */
export function handoverLock(side: SideName, kind: MachineKind): AdmissionPolicy {
  const { group, version, namespace } = sides[side];
  const isMachineApi = side === 'machineApi';
  return definePolicy({
    name: `${prefixes[side]}-${suffixes[kind]}-migrating-vap`,
    operations: ['UPDATE'],
    resources: { group, version, names: [resourceOf(kind)] },
    namespace,
    ...(isMachineApi ? {} : { copies: { side: 'machineApi' as const, kind } }),
    conditions: [
      notTheControllers,
      ...(isMachineApi ? [] : [sameName]),
      { name: 'check-authoritativeapi-migrating', expression: `${authorityOf(side)} == "Migrating"` },
    ],
    validations: [
      {
        expression: isMachineApi ? onlyAuthorityChanges(kind) : 'object.spec == oldObject.spec',
        message:
          'Changing .spec is not allowed while status.authoritativeAPI is Migrating. Wait until the migration is over, or set spec.authoritativeAPI of the Machine API object back to cancel it.',
      },
    ],
  });
}
