/** Command lines whose rendering upstream keeps as fixtures, as flags; names are those of the fixtures. */
interface Case {
  readonly platform: string;
  readonly name: string;
  readonly flags: { readonly name: string; readonly [flag: string]: unknown };
  /** Fields left out of the comparison: the test upstream goes around flags that its command requires. */
  readonly except?: readonly string[];
}

const identity = () => ({ credentialsSecretName: '' });
const roles = [
  'ingressARN',
  'imageRegistryARN',
  'storageARN',
  'networkARN',
  'kubeCloudControllerARN',
  'nodePoolManagementARN',
  'controlPlaneOperatorARN',
];
const fake = (name: string) => `fake${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** What the flags point at. */
export const files: { readonly [path: string]: string } = {
  'pull-secret.json': '{"auths":{}}',
  'clouds.yaml': 'clouds:\n  openstack:\n    auth:\n      auth_url: fakeAuthURL\n',
  'aws-infra.json': JSON.stringify({
    infraID: 'fakeInfraID',
    machineCIDR: '192.0.2.0/24',
    vpcID: 'fakeVPCID',
    zones: [{ name: 'fakeName', subnetID: 'fakeSubnetID' }],
    Name: 'fakeName',
    baseDomain: 'fakeBaseDomain',
    baseDomainPrefix: 'fakeBaseDomainPrefix',
    publicZoneID: 'fakePublicZoneID',
    privateZoneID: 'fakePrivateZoneID',
    localZoneID: 'fakeLocalZoneID',
    proxyAddr: 'fakeProxyAddr',
  }),
  'aws-iam.json': JSON.stringify({
    profileName: 'fakeProfileName',
    infraID: 'fakeInfraID',
    issuerURL: 'fakeIssuerURL',
    roles: Object.fromEntries(roles.map((role) => [role, fake(role)])),
    kmsKeyARN: 'fakeKMSKeyARN',
    kmsProviderRoleARN: 'fakeKMSProviderRoleARN',
  }),
  'azure.json': JSON.stringify({ subscriptionId: 'fakeSubscriptionID', tenantId: 'fakeTenantID' }),
  'azure-infra.json': JSON.stringify({
    baseDomain: 'fakeBaseDomain',
    publicZoneID: 'fakePublicZoneID',
    privateZoneID: 'fakePrivateZoneID',
    region: 'fakeLocation',
    resourceGroupName: 'fakeResourceGroupName',
    vnetID: 'fakeVNetID',
    subnetID: 'fakeSubnetID',
    bootImageID: 'fakeBootImageID',
    infraID: 'fakeInfraID',
    securityGroupID: 'fakeSecurityGroupID',
    controlPlaneMIs: { controlPlane: { managedIdentitiesKeyVault: { name: '', tenantID: '' }, network: identity() } },
    dataPlaneIdentities: {},
  }),
  'powervs-infra.json': JSON.stringify({
    id: 'fakeID',
    accountID: 'fakeAccountID',
    baseDomain: 'fakeBaseDomain',
    cisCrn: 'fakeCISCRN',
    cisDomainID: 'fakeCISDomainID',
    cloudInstanceID: 'fakeCloudInstanceID',
    dhcpSubnet: 'fakeDHCPSubnet',
    dhcpSubnetID: 'fakeDHCPSubnetID',
    vpcName: 'fakeVPCName',
    vpcSubnetName: 'fakeVPCSubnetName',
    secrets: Object.fromEntries(
      [
        'KubeCloudControllerManager',
        'NodePoolManagement',
        'IngressOperator',
        'StorageOperator',
        'ImageRegistryOperator',
      ].map((name) => [name, { metadata: { name, namespace: 'ns' } }]),
    ),
  }),
};

const account = (role: string) => `${role}@test-project-123.iam.gserviceaccount.com`;
const awsFlags = { infraJson: 'aws-infra.json', iamJson: 'aws-iam.json' };
const azureFlags = {
  azureCreds: 'azure.json',
  infraJson: 'azure-infra.json',
  managedIdentitiesFile: 'managed.json',
  dataPlaneIdentitiesFile: 'data-plane.json',
};
const marketplace = {
  marketplacePublisher: 'azureopenshift',
  marketplaceOffer: 'aro4',
  marketplaceSku: 'aro_414',
  marketplaceVersion: '414.92.2024021',
};
const minimal = 'minimal flags are provided';

export const cases: readonly Case[] = [
  { platform: 'none', name: minimal, flags: { name: 'example', externalApiServerAddress: 'fakeAddress' } },
  {
    platform: 'agent',
    name: minimal,
    flags: { name: 'example', apiServerAddress: 'fakeAddress', agentNamespace: 'required' },
    except: ['agentNamespace'],
  },
  {
    platform: 'gcp',
    name: minimal,
    flags: {
      name: 'example',
      project: 'test-project-123',
      region: 'us-central1',
      network: 'test-network',
      privateServiceConnectSubnet: 'test-psc-subnet',
      workloadIdentityProjectNumber: '123456789012',
      workloadIdentityPoolId: 'test-pool',
      workloadIdentityProviderId: 'test-provider',
      nodePoolServiceAccount: account('nodepool'),
      controlPlaneServiceAccount: account('controlplane'),
      cloudControllerServiceAccount: account('cloudcontroller'),
      storageServiceAccount: account('storage'),
      imageRegistryServiceAccount: account('imageregistry'),
      networkServiceAccount: account('network'),
      nodePoolReplicas: -1,
    },
  },
  { platform: 'kubevirt', name: minimal, flags: { name: 'example' } },
  {
    platform: 'kubevirt',
    name: 'complex configuration flags',
    flags: {
      name: 'test1',
      etcdStorageClass: 'gp3-csi',
      controlPlaneAvailabilityPolicy: 'HighlyAvailable',
      infraAvailabilityPolicy: 'HighlyAvailable',
      nodePoolReplicas: 2,
      memory: '12Gi',
      cores: 4,
      rootVolumeAccessModes: ['ReadWriteOnce'],
      rootVolumeStorageClass: 'gp3-csi',
      rootVolumeSize: 32,
      infraStorageClassMapping: ['gp3-csi/gp3', 'ocs-storagecluster-ceph-rbd/ceph-rbd'],
      vmNodeSelector: ['key=val'],
      additionalNetwork: ['name:ns1/nad-foo', 'name:ns2/nad-foo2'],
      infraVolumesnapshotClassMapping: ['ocs-storagecluster-rbd-snap/rdb-snap'],
      toleration: ['key=key1,value=value1,effect=noSchedule', 'key=key2,value=value2,effect=noSchedule'],
    },
  },
  {
    platform: 'openstack',
    name: minimal,
    flags: {
      name: 'example',
      openstackCredentialsFile: 'clouds.yaml',
      openstackNodeFlavor: 'm1.xlarge',
      openstackNodeImageName: 'rhcos',
    },
  },
  {
    platform: 'openstack',
    name: 'default creation flags',
    flags: {
      name: 'test',
      openstackCredentialsFile: 'clouds.yaml',
      openstackExternalNetworkId: '5387f86a-a10e-47fe-91c6-41ac131f9f30',
      openstackNodeImageName: 'rhcos',
      openstackNodeFlavor: 'fakeFlavor',
      autoRepair: true,
      nodePoolReplicas: 2,
      baseDomain: 'test.hypershift.devcluster.openshift.com',
      controlPlaneOperatorImage: 'fakeCPOImage',
      annotations: ['hypershift.openshift.io/cleanup-cloud-resources=true'],
      machineCidr: ['192.168.25.0/24'],
    },
  },
  { platform: 'aws', name: minimal, flags: { ...awsFlags, name: 'example' } },
  {
    platform: 'aws',
    name: 'default creation flags',
    flags: {
      ...awsFlags,
      name: 'cesar',
      instanceType: 'm5.large',
      region: 'us-east-2',
      autoRepair: true,
      endpointAccess: 'Public',
      nodePoolReplicas: 2,
      baseDomain: 'cewong.hypershift.devcluster.openshift.com',
      controlPlaneOperatorImage: 'fakeCPOImage',
      annotations: ['hypershift.openshift.io/cleanup-cloud-resources=true'],
    },
  },
  {
    platform: 'aws',
    name: 'KubeAPIServerDNSName is provided',
    flags: { ...awsFlags, name: 'example', kasDnsName: 'test-dns-name.example.com' },
  },
  {
    platform: 'aws',
    name: 'OVNKubernetesMTU is provided',
    flags: { ...awsFlags, name: 'example', ovnKubernetesMtu: 1400 },
  },
  { platform: 'azure', name: minimal, flags: { ...azureFlags, name: 'example' } },
  {
    platform: 'azure',
    name: 'complex configuration flags',
    flags: {
      ...azureFlags,
      name: 'bryans-cluster',
      nodePoolReplicas: 312,
      baseDomain: 'base.domain.com',
      enableEphemeralDisk: true,
      instanceType: 'Standard_DS2_v2',
      diskStorageAccountType: 'Standard_LRS',
    },
  },
  {
    platform: 'azure',
    name: 'Azure Marketplace image flags',
    flags: {
      ...azureFlags,
      ...marketplace,
      name: 'bryans-cluster',
      nodePoolReplicas: 312,
      enableEphemeralDisk: true,
      instanceType: 'Standard_DS2_v2',
      diskStorageAccountType: 'Standard_LRS',
    },
  },
  {
    platform: 'azure',
    name: 'availability zones are provided',
    flags: { ...azureFlags, name: 'example', availabilityZones: ['1,2'] },
  },
  {
    platform: 'azure',
    name: 'disabled capabilities',
    flags: { ...azureFlags, name: 'example', disableClusterCapabilities: ['ImageRegistry'] },
  },
  {
    platform: 'azure',
    name: 'KubeAPIServerDNSName is provided',
    flags: { ...azureFlags, name: 'example', kasDnsName: 'test-dns-name.example.com' },
  },
  {
    platform: 'azure',
    name: 'When image generation Gen1 is provided',
    flags: { ...azureFlags, name: 'example', imageGeneration: 'Gen1' },
  },
  {
    platform: 'azure',
    name: 'marketplace flags and image generation Gen1',
    flags: { ...azureFlags, ...marketplace, name: 'example', imageGeneration: 'Gen1' },
  },
  {
    platform: 'azure',
    name: 'availability zones and image generation Gen1',
    flags: { ...azureFlags, name: 'example', availabilityZones: ['1,2,3'], imageGeneration: 'Gen1' },
  },
  {
    platform: 'azure',
    name: 'endpoint access is Private',
    flags: {
      ...azureFlags,
      name: 'example',
      endpointAccess: 'Private',
      endpointAccessPrivateNatSubnetId:
        '/subscriptions/sub-1/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/vnet/subnets/nat-subnet',
      endpointAccessPrivateAdditionalAllowedSubscriptions: ['sub-1,sub-2'],
    },
  },
  {
    platform: 'azure',
    name: 'oauth publishing strategy is LoadBalancer',
    flags: {
      azureCreds: 'azure.json',
      infraJson: 'azure-infra.json',
      name: 'example',
      oauthPublishingStrategy: 'LoadBalancer',
    },
  },
  {
    platform: 'powervs',
    name: minimal,
    flags: { name: 'example', resourceGroup: 'required', infraJson: 'powervs-infra.json' },
    except: ['resourceGroup', 'apiVersion', 'kind'],
  },
];
