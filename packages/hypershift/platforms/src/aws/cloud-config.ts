import { annotations, type HostedControlPlane } from '@hypershift-ts/hypershift-api';
import type { CloudProviderConfig } from '../platform.ts';
import { healthProbe } from '../shared/health-probe.ts';
import { settingsOf } from '../shared/settings.ts';

export function awsCloudConfig(hcp: HostedControlPlane): CloudProviderConfig {
  const config = settingsOf(hcp.spec.platform, 'aws').cloudProviderConfig;
  const probe = healthProbe(hcp, {
    annotation: annotations.awsLoadBalancerHealthProbeMode.key,
    shared: 'Shared',
    nodePort: 'ServiceNodePort',
  });
  const lines = [
    '[Global]',
    `Zone = ${config?.zone ?? ''}`,
    `VPC = ${config?.vpc ?? ''}`,
    `KubernetesClusterID = ${hcp.spec.infraID}`,
    `SubnetID = ${config?.subnet?.id ?? ''}`,
    `ClusterServiceLoadBalancerHealthProbeMode = ${probe.mode}`,
    'NLBSecurityGroupMode = Managed',
    ...(probe.path === undefined ? [] : [`ClusterServiceSharedLoadBalancerHealthProbePath = ${probe.path}`]),
    ...(probe.port === undefined ? [] : [`ClusterServiceSharedLoadBalancerHealthProbePort = ${probe.port}`]),
  ];
  return { name: 'aws-cloud-config', kind: 'ConfigMap', data: { 'aws.conf': lines.join('\n') } };
}
