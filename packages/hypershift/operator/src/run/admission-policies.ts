import type { admissionregistrationv1 } from '@hypershift-ts/kube-apimachinery';

type Policy = admissionregistrationv1.ValidatingAdmissionPolicy;
type Binding = admissionregistrationv1.ValidatingAdmissionPolicyBinding;

interface Rule {
  readonly name: string;
  readonly resources: readonly string[];
  readonly operations: readonly string[];
  readonly action: 'Warn' | 'Deny';
  readonly validations: readonly { readonly expression: string; readonly message: string }[];
}

const apiVersion = 'admissionregistration.k8s.io/v1';
const present = (...path: readonly string[]): string =>
  path.map((_, index) => `has(object.${path.slice(0, index + 1).join('.')})`).join(' && ');
const unless = (expression: string, message: string) => ({ expression: `!(${expression})`, message });
const isCluster = `request.resource.resource == 'hostedclusters'`;
const encryption = ['spec', 'secretEncryption'];

/** Fields that still work and will not for ever: whoever writes them is told what to use instead. */
const deprecations: Rule = {
  name: 'hypershift.openshift.io-deprecation-policy',
  resources: ['hostedclusters', 'nodepools'],
  operations: ['CREATE', 'UPDATE'],
  action: 'Warn',
  validations: [
    unless(
      `${isCluster} && ${present(...encryption, 'aescbc', 'backupKey')}`,
      'spec.secretEncryption.aescbc.backupKey is deprecated; change activeKey to rotate',
    ),
    unless(
      `${isCluster} && ${present(...encryption, 'kms', 'aws', 'backupKey')}`,
      'spec.secretEncryption.kms.aws.backupKey is deprecated; change activeKey to rotate',
    ),
    unless(
      `${isCluster} && ${present(...encryption, 'kms', 'azure', 'backupKey')}`,
      'spec.secretEncryption.kms.azure.backupKey is deprecated; change activeKey to rotate',
    ),
    unless(
      `${isCluster} && ${present('spec', 'platform', 'aws', 'multiArch')} && object.spec.platform.aws.multiArch`,
      'spec.platform.aws.multiArch is deprecated and has no effect; the release image decides',
    ),
  ],
};

/** A second rotation while data is still being rewritten would need three keys, and there is room for two. */
const keyRotation: Rule = {
  name: 'hostedcluster-block-key-rotation-during-reencryption',
  resources: ['hostedclusters'],
  operations: ['UPDATE'],
  action: 'Deny',
  validations: [
    {
      expression: [
        '!has(oldObject.status) || !has(oldObject.status.conditions)',
        "!oldObject.status.conditions.exists(c, c.type == 'EtcdDataEncryptionUpToDate' && c.status == 'False')",
        '(has(object.spec.secretEncryption) == has(oldObject.spec.secretEncryption) && (!has(object.spec.secretEncryption) || object.spec.secretEncryption == oldObject.spec.secretEncryption))',
      ].join(' || '),
      message:
        'spec.secretEncryption cannot change while data is encrypted again (EtcdDataEncryptionUpToDate is False); wait until it is True',
    },
  ],
};

function policyOf({ name, resources, operations, validations }: Rule): Policy {
  return {
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      // Neither is worth refusing everything when it cannot be evaluated.
      failurePolicy: 'Ignore',
      matchConstraints: {
        resourceRules: [{ apiGroups: ['hypershift.openshift.io'], apiVersions: ['v1beta1'], operations, resources }],
      },
      validations,
    },
  };
}

const bindingOf = ({ name, action }: Rule): Binding => ({
  apiVersion,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name },
  spec: { policyName: name, validationActions: [action] },
});

/** Policies the operator installs for its own kinds, each with its binding. */
export const admissionPolicies: readonly (readonly [Policy, Binding])[] = [deprecations, keyRotation].map((rule) => [
  policyOf(rule),
  bindingOf(rule),
]);
