import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import type { CloudCleanUp, CloudTask, SecurityGroup } from '../cloud-account.ts';
import { encryptionKeyTask } from '../shared/encryption-key.ts';

/** The group of all workers; what NodePools name comes on top of it. */
function workerGroup({ spec }: HostedControlPlane): SecurityGroup {
  return { name: `${spec.infraID}-default-sg`, network: spec.platform.aws?.cloudProviderConfig?.vpc ?? '' };
}

export const awsCloudTasks: readonly CloudTask[] = [
  {
    condition: 'ValidAWSIdentityProvider',
    refused: 'InvalidIdentityProvider',
    purpose: 'see whether it accepts tokens of the cluster',
    async run(hcp, account, signal) {
      await account.checkIdentityProvider(hcp, signal);
      return undefined;
    },
  },
  {
    condition: 'AWSDefaultSecurityGroupCreated',
    refused: 'AWSError',
    purpose: 'make the security group of worker nodes',
    async run(hcp, account, signal) {
      return { aws: { defaultWorkerSecurityGroupID: await account.ensureSecurityGroup(workerGroup(hcp), signal) } };
    },
  },
  encryptionKeyTask('AWS', ({ spec }) => spec.secretEncryption?.kms?.aws !== undefined),
];

export const awsCloudCleanUp: CloudCleanUp = {
  condition: 'AWSDefaultSecurityGroupDeleted',
  refused: 'AWSError',
  async run({ status }, account, signal) {
    const id = status?.platform?.aws?.defaultWorkerSecurityGroupID;
    if (id) await account.deleteSecurityGroup(id, signal);
  },
};
