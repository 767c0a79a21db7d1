import { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually, MigrationCluster, type PlatformSetup, read, type Running } from './cluster.ts';
import { newKey, oldKey } from './keys.ts';

const storage = '810c3d97-98c2-4cf3-b0f6-8977b6e0b4b2';
const boot = { userDataSecret: { name: 'worker-user-data' } };

const platforms: readonly (PlatformSetup & { readonly providerSpec: { readonly [field: string]: unknown } })[] = [
  {
    platform: 'OpenStack',
    provider: 'openstack',
    clusterSpec: { identityRef: { name: 'openstack-cloud-credentials', cloudName: 'openstack' } },
    providerSpec: {
      apiVersion: 'machine.openshift.io/v1alpha1',
      kind: 'OpenstackProviderSpec',
      ...boot,
      cloudsSecret: { name: 'openstack-cloud-credentials', namespace: 'openshift-machine-api' },
      cloudName: 'openstack',
      flavor: 'm1.large',
      image: 'rhcos',
      ports: [{ networkID: storage, fixedIPs: [{ subnetID: storage }] }],
      securityGroups: [{ filter: { name: 'workers' } }],
      rootVolume: { diskSize: 30 },
    },
  },
  {
    platform: 'Azure',
    provider: 'azure',
    azureSubscriptionID: '11111111-2222-3333-4444-555555555555',
    clusterSpec: {
      location: 'westeurope',
      resourceGroup: 'prod-rg',
      identityRef: { kind: 'AzureClusterIdentity', name: 'prod' },
      networkSpec: { vnet: { name: 'nodes', resourceGroup: 'network-rg' }, nodeOutboundLB: { name: 'prod-x7k2p' } },
    },
    providerSpec: {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'AzureMachineProviderSpec',
      ...boot,
      credentialsSecret: { name: 'azure-cloud-credentials', namespace: 'openshift-machine-api' },
      vmSize: 'Standard_D4s_v5',
      location: 'westeurope',
      resourceGroup: 'prod-rg',
      networkResourceGroup: 'network-rg',
      vnet: 'nodes',
      publicLoadBalancer: 'prod-x7k2p',
      subnet: 'workers',
      image: { resourceID: '/resourceGroups/x/providers/Microsoft.Compute/images/y' },
      osDisk: { osType: 'Linux', diskSizeGB: 128, cachingType: 'ReadOnly', managedDisk: {} },
    },
  },
  {
    platform: 'GCP',
    provider: 'gcp',
    clusterSpec: {
      region: 'us-central1',
      project: 'prod',
      network: { name: 'nodes', hostProject: 'host-project' },
    },
    providerSpec: {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'GCPMachineProviderSpec',
      ...boot,
      credentialsSecret: { name: 'gcp-cloud-credentials' },
      disks: [{ autoDelete: true, boot: true, sizeGb: 128, type: 'pd-ssd', image: 'rhcos' }],
      networkInterfaces: [{ network: 'nodes', projectID: 'host-project', subnetwork: 'workers' }],
      serviceAccounts: [{ email: 'worker', scopes: ['all'] }],
      machineType: 'n2-standard-4',
      region: 'us-central1',
      zone: 'us-central1-a',
      projectID: 'prod',
    },
  },
  {
    platform: 'PowerVS',
    provider: 'ibmcloud',
    clusterSpec: { serviceInstanceID: 'service', network: { regex: '^DHCP' } },
    providerSpec: {
      apiVersion: 'machine.openshift.io/v1',
      kind: 'PowerVSMachineProviderConfig',
      ...boot,
      serviceInstance: { type: 'ID', id: 'service' },
      image: { type: 'Name', name: 'rhcos' },
      network: { type: 'RegEx', regex: '^DHCP' },
      keyPairName: 'key',
      systemType: 's922',
      processorType: 'Shared',
      processors: '0.5',
      memoryGiB: 32,
    },
  },
];

type Authority = 'MachineAPI' | 'ClusterAPI';

describe.each(platforms)('Machines of $platform in both APIs', ({ providerSpec, ...setup }) => {
  let cluster: MigrationCluster | undefined;
  let running: Running | undefined;

  afterEach(async () => {
    await running?.stop();
    await cluster?.stop();
  });

  it('When a machine and a set go to Cluster API, it should leave nothing to write once they are there', async () => {
    const { client } = (cluster = await MigrationCluster.start({ setup }));
    running = await cluster.run();
    const name = 'worker';
    const pool = { 'example.com/pool': name };
    await client.create(mapiv1beta1.machines, {
      metadata: oldKey(name),
      spec: { providerSpec: { value: providerSpec } },
    });
    await client.create(mapiv1beta1.machinesets, {
      metadata: oldKey(name),
      spec: {
        selector: { matchLabels: pool },
        template: { metadata: { labels: pool }, spec: { providerSpec: { value: providerSpec } } },
      },
    });
    const kinds = [
      [mapiv1beta1.machines, capiv1beta2.machines],
      [mapiv1beta1.machinesets, capiv1beta2.machinesets],
    ] as const;
    const settled = (authority: Authority) =>
      eventually(async () => {
        for (const [oldKind, newKind] of kinds) {
          const machine = await read<mapiv1beta1.Machine | mapiv1beta1.MachineSet>(client, oldKind, oldKey(name));
          const other = await read<capiv1beta2.Machine | capiv1beta2.MachineSet>(client, newKind, newKey(name));
          expect(machine?.status).toMatchObject({
            authoritativeAPI: authority,
            synchronizedAPI: authority,
            synchronizedGeneration: (authority === 'MachineAPI' ? machine : other)?.metadata.generation,
            conditions: expect.arrayContaining([expect.objectContaining({ type: 'Synchronized', status: 'True' })]),
          });
        }
      });
    const writesNothing = () =>
      eventually(async () => {
        await running?.stop();
        running = await cluster!.run();
        for (const kind of ['Machine', 'MachineSet'] as const) await running.lookedAt(kind, name);
        expect(running.writes.filter((write) => write.includes(name))).toEqual([]);
      });
    await settled('MachineAPI');
    await writesNothing();
    for (const [oldKind] of kinds)
      await cluster.controllerClient().patch<mapiv1beta1.Machine | mapiv1beta1.MachineSet>(oldKind, oldKey(name), {
        type: 'merge',
        body: { spec: { authoritativeAPI: 'ClusterAPI' } },
      });
    await settled('ClusterAPI');
    await writesNothing();
  });
});
