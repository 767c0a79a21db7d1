import type { HostedCluster } from '../hosted-cluster/index.ts';
import type { NodePool } from '../node-pool/index.ts';
import type { HostedClusterConditionType } from './hosted-cluster.ts';
import type { NodePoolConditionType } from './node-pool.ts';

type Status = 'True' | 'False' | 'Unknown';

const whenHealthy: { readonly [type in HostedClusterConditionType]?: Status } = {
  Available: 'True',
  InfrastructureReady: 'True',
  KubeAPIServerAvailable: 'True',
  IgnitionEndpointAvailable: 'True',
  EtcdAvailable: 'True',
  ValidReleaseInfo: 'True',
  ValidConfiguration: 'True',
  SupportedHostedCluster: 'True',
  ClusterVersionSucceeding: 'True',
  ClusterVersionAvailable: 'True',
  ClusterVersionReleaseAccepted: 'True',
  ReconciliationActive: 'True',
  ReconciliationSucceeded: 'True',
  ConfigOperatorReconciliationSucceeded: 'True',
  ValidHostedControlPlaneConfiguration: 'True',
  ValidReleaseImage: 'True',
  PlatformCredentialsFound: 'True',
  DataPlaneConnectionAvailable: 'True',
  ControlPlaneConnectionAvailable: 'True',
  Progressing: 'False',
  Degraded: 'False',
  ClusterVersionProgressing: 'False',
};

type Spec = HostedCluster['spec'];

function hasExternalName({ services }: Spec): boolean {
  const strategy = services.find(({ service }) => service === 'APIServer')?.servicePublishingStrategy;
  return Boolean(strategy?.route?.hostname ?? strategy?.loadBalancer?.hostname);
}

function ofPlatform(spec: Spec): { readonly [type in HostedClusterConditionType]?: Status } {
  const kms = spec.secretEncryption?.type === 'kms' ? 'True' : 'Unknown';
  switch (spec.platform.type) {
    case 'AWS':
      return {
        ValidOIDCConfiguration: 'True',
        ValidAWSIdentityProvider: 'True',
        AWSDefaultSecurityGroupCreated: 'True',
        ValidAWSKMSConfig: kms,
        ...((spec.platform.aws?.endpointAccess ?? 'Public') === 'Public'
          ? {}
          : { AWSEndpointAvailable: 'True', AWSEndpointServiceAvailable: 'True' }),
      };
    case 'Azure':
      return { ValidAzureKMSConfig: kms };
    case 'GCP':
      return {
        ValidGCPWorkloadIdentity: 'True',
        ValidGCPCredentials: 'True',
        GCPEndpointAvailable: 'True',
        GCPServiceAttachmentAvailable: 'True',
      };
    default:
      return {};
  }
}

/** The conditions a HostedCluster with nodes shows when everything works. */
export function healthyHostedClusterConditions({ spec }: HostedCluster): ReadonlyMap<string, Status> {
  return new Map(
    Object.entries({
      ...whenHealthy,
      ExternalDNSReachable: hasExternalName(spec) ? 'True' : 'Unknown',
      ...(spec.etcd.managementType === 'Unmanaged' ? { UnmanagedEtcdAvailable: 'True' } : {}),
      ...ofPlatform(spec),
    } satisfies { readonly [type in HostedClusterConditionType]?: Status }),
  );
}

/** The conditions a NodePool shows when everything works. */
export function healthyNodePoolConditions({ spec }: NodePool): ReadonlyMap<string, Status> {
  const conditions: { readonly [type in NodePoolConditionType]?: Status } = {
    Ready: 'True',
    ValidReleaseImage: 'True',
    ValidGeneratedPayload: 'True',
    ValidMachineConfig: 'True',
    ValidTuningConfig: 'True',
    AllMachinesReady: 'True',
    AllNodesHealthy: 'True',
    ReconciliationActive: 'True',
    ReachedIgnitionEndpoint: 'True',
    UpdateManagementEnabled: 'True',
    ValidArchPlatform: 'True',
    SupportedVersionSkew: 'True',
    UpdatingVersion: 'False',
    UpdatingConfig: 'False',
    UpdatingPlatformMachineTemplate: 'False',
    AutoscalingEnabled: spec.autoScaling ? 'True' : 'False',
    AutorepairEnabled: spec.management.autoRepair ? 'True' : 'False',
  };
  return new Map(Object.entries(conditions));
}
