/** Node pools as an API server hands them out, for tests. */
import type { NodePool } from '@hypershift-ts/hypershift-api';
import type { PlatformType } from '../platform.ts';

const subscription = '00000000-0000-4000-8000-000000000001';
const subnetID = `/subscriptions/${subscription}/resourceGroups/net-rg/providers/Microsoft.Network/virtualNetworks/demo-vnet/subnets/nodes`;

/** Settings of each platform as a user would write them, defaults filled in. */
export const poolSettings: { readonly [type in PlatformType]: object } = {
  AWS: {
    aws: {
      instanceType: 'm5.large',
      subnet: { id: 'subnet-1' },
      rootVolume: { size: 64, type: 'gp3', iops: 3000, encrypted: true },
      securityGroups: [{ id: 'sg-own' }, { filters: [{ name: 'tag:team', values: ['blue'] }] }],
      resourceTags: [{ key: 'team', value: 'blue' }],
    },
  },
  Azure: {
    azure: {
      vmSize: 'Standard_D4s_v5',
      subnetID,
      availabilityZone: '2',
      encryptionAtHost: 'Enabled',
      image: { type: 'AzureMarketplace', azureMarketplace: { imageGeneration: 'Gen2' } },
      osDisk: {
        sizeGiB: 120,
        diskStorageAccountType: 'Premium_LRS',
        persistence: 'Ephemeral',
        encryptionSetID: `/subscriptions/${subscription}/resourceGroups/rg/providers/Microsoft.Compute/diskEncryptionSets/set`,
      },
      diagnostics: {
        storageAccountType: 'UserManaged',
        userManaged: { storageAccountURI: 'https://logs.example.com/' },
      },
    },
  },
  GCP: {
    gcp: {
      machineType: 'n2-standard-4',
      zone: 'us-central1-a',
      subnet: 'nodes',
      provisioningModel: 'Spot',
      networkTags: ['web'],
      resourceLabels: [{ key: 'team', value: 'red' }],
      serviceAccount: { email: 'nodes@my-project.iam.gserviceaccount.com' },
      bootDisk: {
        diskSizeGB: 100,
        diskType: 'pd-ssd',
        encryptionKey: { kmsKeyName: 'projects/my-project/locations/global/keyRings/ring/cryptoKeys/key' },
      },
    },
  },
  KubeVirt: {
    kubevirt: {
      rootVolume: {
        type: 'Persistent',
        persistent: { size: '32Gi', accessModes: ['ReadWriteMany'], storageClass: 'ceph' },
      },
      compute: { cores: 4, memory: '8Gi', qosClass: 'Burstable' },
      networkInterfaceMultiqueue: 'Enable',
      attachDefaultNetwork: true,
      additionalNetworks: [{ name: 'vms/vlan' }],
      hostDevices: [{ deviceName: 'nvidia.com/A10', count: 2 }],
      nodeSelector: { zone: 'a' },
    },
  },
  Agent: { agent: { agentLabelSelector: { matchLabels: { rack: 'r1' } } } },
  OpenStack: {
    openstack: {
      flavor: 'm1.xlarge',
      availabilityZone: 'nova',
      additionalPorts: [
        {
          network: { id: '11111111-2222-4333-8444-555555555555' },
          allowedAddressPairs: [{ ipAddress: '10.0.0.5' }, { ipAddress: '10.0.0.6' }],
          vnicType: 'direct',
          portSecurityPolicy: 'Disabled',
        },
      ],
    },
  },
  IBMCloud: { ibmcloud: {} },
  PowerVS: {
    powervs: {
      systemType: 's922',
      processorType: 'shared',
      processors: '0.5',
      memoryGiB: 32,
      storageType: 'tier1',
      imageDeletePolicy: 'delete',
    },
  },
  None: {},
};

/** A pool on a platform; `settings` replace the platform's, `spec` adds fields. */
export function poolOn(
  type: PlatformType,
  {
    settings = poolSettings[type],
    spec = {},
    metadata = {},
  }: { readonly settings?: object; readonly spec?: object; readonly metadata?: object } = {},
): NodePool {
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'NodePool',
    metadata: { name: 'workers', namespace: 'clusters', uid: 'uid-2', generation: 1, ...metadata },
    spec: {
      clusterName: 'demo',
      replicas: 2,
      arch: type === 'PowerVS' ? 'ppc64le' : 'amd64',
      release: { image: 'registry.hypershift-ts.io/release:4.20.3' },
      management: {
        upgradeType: 'Replace',
        autoRepair: false,
        replace: { strategy: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      },
      platform: { type, ...settings },
      ...spec,
    },
  } as unknown as NodePool; // Settings are given as users write them.
}
