import { type AdmissionPolicy, definePolicy, sides } from '../../policies/policy.ts';
import { absent, specOf } from '../../policies/unsupported-fields.ts';
import { infrastructureGroup } from '../names.ts';

const cloudInitSecrets = ['secretCount', 'secretPrefix', 'insecureSkipSecretsManager', 'secureSecretsBackend'];

/** Refuses fields of AWSMachine that the Machine API has no word for before anybody relies on them. */
export const unsupportedAwsFields: AdmissionPolicy = definePolicy({
  name: 'openshift-cluster-api-unsupported-aws-spec-fields',
  operations: ['CREATE', 'UPDATE'],
  resources: { group: infrastructureGroup, version: 'v1beta2', names: ['awsmachines', 'awsmachinetemplates'] },
  namespace: sides.clusterApi.namespace,
  variables: specOf('AWSMachine'),
  validations: [
    ...[
      'ami.eksLookupType',
      'imageLookupFormat',
      'imageLookupOrg',
      'imageLookupBaseOS',
      'networkInterfaces',
      'uncompressedUserData',
      'ignition.proxy',
      'ignition.tls',
      'securityGroupOverrides',
    ].map(absent),
    {
      // An empty cloudInit is written by everybody who uses the Go types.
      expression: cloudInitSecrets.map((field) => `!variables.machine.?cloudInit.?${field}.hasValue()`).join(' && '),
      messageExpression: 'variables.path + ".cloudInit is a forbidden field"',
    },
  ],
});
