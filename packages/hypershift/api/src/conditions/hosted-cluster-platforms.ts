import { aggregated, computed, copied, type ConditionCatalogue } from './condition-facts.ts';

const hcp = (type: string) => copied('HostedControlPlane', type);
const endpoint = (type: string) => aggregated('AWSEndpointService', type);
const connect = (type: string) => aggregated('GCPPrivateServiceConnect', type);
const privateLink = (type: string) => aggregated('AzurePrivateLinkService', type);
const onPrivateAzure = 'on Azure with Private Link';

/** Conditions of a HostedCluster that belong to one platform. */
export const hostedClusterPlatformConditions = {
  ValidOIDCConfiguration: {
    polarity: 'positive',
    meaning: 'The OpenID documents that let the cloud trust service accounts are published.',
    source: computed('the upload of the documents'),
    reasons: ['AsExpected', 'OIDCConfigurationInvalid', 'StatusUnknown'],
    present: 'on AWS and GCP',
  },
  ValidAWSIdentityProvider: {
    polarity: 'positive',
    meaning: 'AWS accepts tokens issued by the cluster.',
    source: hcp('ValidAWSIdentityProvider'),
    reasons: ['AsExpected', 'InvalidIdentityProvider', 'AWSError', 'StatusUnknown'],
    present: 'on AWS',
  },
  AWSDefaultSecurityGroupCreated: {
    polarity: 'positive',
    meaning: 'The default security group of worker nodes exists.',
    source: hcp('AWSDefaultSecurityGroupCreated'),
    reasons: ['AsExpected', 'AWSError', 'StatusUnknown'],
    present: 'on AWS',
  },
  AWSDefaultSecurityGroupDeleted: {
    polarity: 'positive',
    meaning: 'The default security group of worker nodes is gone.',
    source: hcp('AWSDefaultSecurityGroupDeleted'),
    reasons: ['AsExpected', 'AWSError'],
    present: 'on AWS, while the control plane is being deleted',
  },
  ValidAWSKMSConfig: {
    polarity: 'positive',
    meaning: 'The AWS key that encrypts Secrets can be used.',
    source: hcp('ValidAWSKMSConfig'),
    reasons: ['AsExpected', 'InvalidIAMRole', 'AWSError', 'StatusUnknown'],
    present: 'on AWS',
  },
  AWSEndpointAvailable: {
    polarity: 'positive',
    meaning: 'Worker nodes have private endpoints to the control plane.',
    source: endpoint('AWSEndpointAvailable'),
    reasons: ['AWSSuccess', 'AWSError', 'StatusUnknown'],
    present: 'on AWS with private endpoints',
  },
  AWSEndpointServiceAvailable: {
    polarity: 'positive',
    meaning: 'The control plane is offered as a private endpoint service.',
    source: endpoint('AWSEndpointServiceAvailable'),
    reasons: ['AWSSuccess', 'AWSError', 'StatusUnknown'],
    present: 'on AWS with private endpoints',
  },
  GCPEndpointAvailable: {
    polarity: 'positive',
    meaning: 'Worker nodes have a private endpoint to the control plane.',
    source: connect('GCPEndpointAvailable'),
    reasons: ['GCPSuccess', 'GCPError', 'StatusUnknown'],
    present: 'on GCP',
  },
  GCPServiceAttachmentAvailable: {
    polarity: 'positive',
    meaning: 'The control plane is offered by a service attachment.',
    source: connect('GCPServiceAttachmentAvailable'),
    reasons: ['GCPSuccess', 'GCPError', 'StatusUnknown'],
    present: 'on GCP',
  },
  ValidGCPWorkloadIdentity: {
    polarity: 'positive',
    meaning: 'The workload identity settings are complete.',
    source: computed('spec.platform.gcp.workloadIdentity'),
    reasons: ['ValidWIFConfiguration', 'InvalidWIFConfiguration', 'MissingGCPConfiguration'],
    present: 'on GCP',
  },
  ValidGCPCredentials: {
    polarity: 'positive',
    meaning: 'Credentials for workload identity were written for every component.',
    source: computed('the credentials Secrets'),
    reasons: ['WIFReady', 'CredentialsError'],
    present: 'on GCP',
  },
  AzurePrivateLinkServiceAvailable: {
    polarity: 'positive',
    meaning: 'Worker nodes reach the control plane through Private Link.',
    source: privateLink('AzurePrivateLinkServiceAvailable'),
    reasons: ['AzureSuccess', 'AzureError', 'StatusUnknown'],
    present: onPrivateAzure,
  },
  AzurePLSCreated: {
    polarity: 'positive',
    meaning: 'The Private Link service exists.',
    source: privateLink('AzurePLSCreated'),
    reasons: ['AzureSuccess', 'AzureError', 'StatusUnknown'],
    present: onPrivateAzure,
  },
  AzureInternalLoadBalancerAvailable: {
    polarity: 'positive',
    meaning: 'The internal load balancer of the control plane has an address.',
    source: privateLink('AzureInternalLoadBalancerAvailable'),
    reasons: ['AzureSuccess', 'AzureError', 'StatusUnknown'],
    present: onPrivateAzure,
  },
  AzurePrivateEndpointAvailable: {
    polarity: 'positive',
    meaning: 'The private endpoint in the network of the nodes is connected.',
    source: privateLink('AzurePrivateEndpointAvailable'),
    reasons: ['AzureSuccess', 'AzureError', 'StatusUnknown'],
    present: onPrivateAzure,
  },
  AzurePrivateDNSAvailable: {
    polarity: 'positive',
    meaning: 'Private names resolve to the private endpoint.',
    source: privateLink('AzurePrivateDNSAvailable'),
    reasons: ['AzureSuccess', 'AzureError', 'StatusUnknown'],
    present: onPrivateAzure,
  },
  ValidAzureKMSConfig: {
    polarity: 'positive',
    meaning: 'The Azure key that encrypts Secrets can be used; Unknown for private vaults.',
    source: hcp('ValidAzureKMSConfig'),
    reasons: ['AsExpected', 'InvalidAzureCredentials', 'AzureError', 'StatusUnknown'],
    present: 'on Azure',
  },
  PublicEndpointExposed: {
    polarity: 'informational',
    meaning: 'The shared ingress serves the public endpoint of the API server.',
    source: computed('a TLS probe of the shared ingress'),
    reasons: ['SharedIngressConfigured', 'TopologyPrivate', 'ConvergenceInProgress'],
    present: 'on Azure with Swift networking',
  },
  ValidKubeVirtInfraNetworkMTU: {
    polarity: 'positive',
    meaning: 'The network below the virtual machines has a large enough MTU.',
    source: hcp('ValidKubeVirtInfraNetworkMTU'),
    reasons: ['AsExpected', 'KubeVirtSuboptimalMTUDetected'],
    present: 'on KubeVirt',
  },
  ValidKubeVirtInfraNetworkPolicyRBAC: {
    polarity: 'positive',
    meaning: 'Network policies can be made in the infrastructure cluster.',
    source: computed('rights in the infrastructure cluster'),
    reasons: ['AsExpected', 'InfraClusterNetworkReadFailed', 'InfraClusterNetworkPolicyCreateFailed'],
    present: 'on KubeVirt with a foreign infrastructure cluster',
  },
  KubeVirtNodesLiveMigratable: {
    polarity: 'positive',
    meaning: 'Every virtual machine can be moved while it runs.',
    source: aggregated('NodePool', 'KubeVirtNodesLiveMigratable'),
    reasons: ['AsExpected', 'KubeVirtNodesNotLiveMigratable'],
    present: 'on KubeVirt',
  },
} as const satisfies ConditionCatalogue;
