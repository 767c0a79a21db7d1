import { type AdmissionPolicy, definePolicy, type Rule, sides } from './policy.ts';

const { clusterApi } = sides;

/** Machines and templates of machines under one rule: the spec, and what its path is called in messages. */
export const specOf = (machineKind: string): { readonly machine: string; readonly path: string } => ({
  machine: `object.kind == "${machineKind}" ? object.spec : object.spec.template.spec`,
  path: `object.kind == "${machineKind}" ? "spec" : "spec.template.spec"`,
});

/** `ami.eksLookupType` must not be there; `ami` may. */
export function absent(field: string): Rule {
  return {
    expression: `!variables.machine.?${field.replaceAll('.', '.?')}.hasValue()`,
    messageExpression: `variables.path + ".${field} is a forbidden field"`,
  };
}

/** Fields of Cluster API that the Machine API has no word for. */
export const unsupportedByMachineApi: AdmissionPolicy = definePolicy({
  name: 'openshift-cluster-api-prevent-setting-of-capi-fields-unsupported-by-mapi',
  operations: ['CREATE', 'UPDATE'],
  resources: { group: clusterApi.group, version: clusterApi.version, names: ['machines', 'machinesets'] },
  namespace: clusterApi.namespace,
  variables: specOf('Machine'),
  validations: ['version', 'readinessGates'].map(absent),
});
