import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import type { CloudProviderConfig } from '../platform.ts';
import { settingsOf } from '../shared/settings.ts';

export function powervsCloudConfig({ metadata, spec }: HostedControlPlane): CloudProviderConfig {
  const settings = settingsOf(spec.platform, 'powervs');
  const lines = [
    '[global]',
    'version = 1.1.0',
    '[kubernetes]',
    'config-file = /etc/kubernetes/kubeconfig',
    '[provider]',
    'cluster-default-provider = g2',
    'g2Credentials = /etc/vpc/ibmcloud_api_key',
    `g2workerServiceAccountID = ${settings.accountID}`,
    `g2ResourceGroupName = ${settings.resourceGroup}`,
    `g2VpcSubnetNames = ${settings.vpc.subnet ?? ''}`,
    `g2VpcName = ${settings.vpc.name}`,
    `accountID = ${settings.accountID}`,
    `clusterID = ${metadata.name}`,
    `region = ${settings.vpc.region}`,
    `powerVSCloudInstanceID = ${settings.serviceInstanceID}`,
    `powerVSRegion = ${settings.region}`,
    `powerVSZone = ${settings.zone}`,
    '',
  ];
  return { name: 'ccm-config', kind: 'ConfigMap', data: { 'ccm-config': lines.join('\n') } };
}
