/** Clusters on every platform, for tests. */
import type { HostedCluster, HostedControlPlane } from '@hypershift-ts/hypershift-api';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { PlatformType } from '../platform.ts';

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const client = (n: number) => ({ clientID: id(n) });
const vault = (name: string) => ({ credentialsSecretName: name, objectEncoding: 'utf-8' });
const network = '/subscriptions/sub/resourceGroups/net-rg/providers/Microsoft.Network';

const azure = {
  location: 'eastus',
  resourceGroup: 'demo-rg',
  subscriptionID: 'sub',
  tenantID: 'tenant',
  cloud: 'AzurePublicCloud',
  vnetID: `${network}/virtualNetworks/demo-vnet`,
  subnetID: `${network}/virtualNetworks/demo-vnet/subnets/nodes`,
  securityGroupID: `${network}/networkSecurityGroups/demo-nsg`,
};

export const workloadIdentities = {
  azureAuthenticationConfigType: 'WorkloadIdentities',
  workloadIdentities: {
    cloudProvider: client(1),
    disk: client(2),
    file: client(3),
    imageRegistry: client(4),
    ingress: client(5),
    network: client(6),
    nodePoolManagement: client(7),
  },
};

export const managedIdentities = {
  azureAuthenticationConfigType: 'ManagedIdentities',
  managedIdentities: {
    controlPlane: {
      managedIdentitiesKeyVault: { name: 'vault', tenantID: 'tenant' },
      cloudProvider: vault('cp-cert'),
      controlPlaneOperator: vault('cpo-cert'),
      disk: vault('disk-cert'),
      file: vault('file-cert'),
      ingress: vault('ingress-cert'),
      network: vault('network-cert'),
      nodePoolManagement: vault('np-cert'),
    },
    dataPlane: { diskMSIClientID: id(1), fileMSIClientID: id(2), imageRegistryMSIClientID: id(3) },
  },
};

const email = (name: string) => `${name}@my-project.iam.gserviceaccount.com`;
const role = (name: string) => `arn:aws:iam::123456789012:role/${name}`;
const named = (name: string) => ({ name });

/** Settings of each platform as a user would write them. */
export const platformSettings: { readonly [type in PlatformType]: object } = {
  AWS: {
    aws: {
      region: 'us-east-1',
      rolesRef: {
        controlPlaneOperatorARN: role('cpo'),
        imageRegistryARN: role('registry'),
        ingressARN: role('ingress'),
        kubeCloudControllerARN: role('ccm'),
        networkARN: role('network'),
        nodePoolManagementARN: role('capa'),
        storageARN: role('ebs'),
      },
      cloudProviderConfig: { vpc: 'vpc-1', zone: 'us-east-1a', subnet: { id: 'subnet-1' } },
      endpointAccess: 'Public',
      resourceTags: [{ key: 'kubernetes.io/cluster/demo-abcde', value: 'owned' }],
    },
  },
  Azure: { azure: { ...azure, azureAuthenticationConfig: workloadIdentities } },
  GCP: {
    gcp: {
      project: 'my-project',
      region: 'us-central1',
      networkConfig: { network: named('demo-net'), privateServiceConnectSubnet: named('demo-psc') },
      workloadIdentity: {
        poolID: 'demo-pool',
        projectNumber: '123456',
        providerID: 'demo-provider',
        serviceAccountsEmails: {
          cloudController: email('ccm-account'),
          controlPlane: email('cpo-account'),
          imageRegistry: email('registry-account'),
          network: email('network-account'),
          nodePool: email('capg-account'),
          storage: email('storage-account'),
        },
      },
      endpointAccess: 'Private',
      resourceLabels: [{ key: 'team', value: 'blue' }],
    },
  },
  KubeVirt: { kubevirt: { generateID: 'abcdefghij' } },
  Agent: { agent: { agentNamespace: 'agents' } },
  OpenStack: { openstack: { identityRef: { name: 'demo-clouds', cloudName: 'openstack' }, tags: ['blue'] } },
  IBMCloud: { ibmcloud: {} },
  PowerVS: {
    powervs: {
      accountID: 'account',
      cisInstanceCRN: 'crn:v1:cis',
      region: 'dal',
      zone: 'dal10',
      resourceGroup: 'rg',
      serviceInstanceID: 'workspace',
      subnet: { name: 'nodes' },
      vpc: { name: 'vpc', region: 'us-south', subnet: 'vpc-subnet' },
      kubeCloudControllerCreds: named('ccm-creds'),
      nodePoolManagementCreds: named('capi-creds'),
      ingressOperatorCloudCreds: named('ingress-creds'),
      storageOperatorCloudCreds: named('storage-creds'),
      imageRegistryOperatorCloudCreds: named('registry-creds'),
    },
  },
  None: {},
};

/** A cluster on a platform; `settings` replace the platform's, `own` fields of the spec. */
export function clusterOn(
  type: PlatformType,
  {
    settings = platformSettings[type],
    spec = {},
    metadata = {},
    status,
  }: {
    readonly settings?: object;
    readonly spec?: object;
    readonly metadata?: object;
    readonly status?: object;
  } = {},
): HostedCluster {
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedCluster',
    metadata: { name: 'demo', namespace: 'clusters', uid: 'uid-1', generation: 1, ...metadata },
    spec: {
      release: { image: 'quay.io/openshift-release-dev/ocp-release:4.20.1-multi' },
      pullSecret: { name: 'pull-secret' },
      infraID: 'demo-abcde',
      clusterID: id(9),
      platform: { type, ...settings },
      services: [
        { service: 'APIServer', servicePublishingStrategy: { type: 'LoadBalancer' } },
        { service: 'OAuthServer', servicePublishingStrategy: { type: 'Route' } },
        { service: 'Konnectivity', servicePublishingStrategy: { type: 'Route' } },
        { service: 'Ignition', servicePublishingStrategy: { type: 'Route' } },
      ],
      networking: {
        networkType: 'OVNKubernetes',
        clusterNetwork: [{ cidr: '10.132.0.0/14' }],
        serviceNetwork: [{ cidr: '172.31.0.0/16' }],
        machineNetwork: [{ cidr: '10.0.0.0/16' }],
      },
      etcd: { managementType: 'Managed' },
      capabilities: {},
      controllerAvailabilityPolicy: 'SingleReplica',
      infrastructureAvailabilityPolicy: 'SingleReplica',
      issuerURL: 'https://kubernetes.default.svc',
      olmCatalogPlacement: 'management',
      ...spec,
    },
    ...(status ? { status } : {}),
  } as unknown as HostedCluster; // Settings are given as users write them, defaults left out.
}

/** The control plane of such a cluster. */
export function controlPlaneOn(type: PlatformType, options: Parameters<typeof clusterOn>[1] = {}): HostedControlPlane {
  const { metadata, spec } = clusterOn(type, options);
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedControlPlane',
    metadata: { ...metadata, namespace: 'clusters-demo' },
    spec: { ...spec, releaseImage: spec.release.image, sshKey: { name: '' }, dns: { baseDomain: 'example.com' } },
  } as unknown as HostedControlPlane;
}

/** A Secret with plain text values. */
export function aSecret(name: string, data: { readonly [key: string]: string }): corev1.Secret {
  const encoded = Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  );
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'clusters' }, data: encoded };
}

/** What a Secret holds, decoded. */
export function contentsOf(object: { readonly data?: { readonly [key: string]: string } }): { [key: string]: string } {
  return Object.fromEntries(
    Object.entries(object.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]),
  );
}
