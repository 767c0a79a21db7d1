import { formatFieldError } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { type ClusterFacts, machineToClusterApi, machineToMachineApi, platformConversion } from '../index.ts';
import { factsWith } from '../testing/platforms/platform-case.ts';
import { readVector, vectorsPresent } from '../testing/vectors.ts';

interface Sample {
  readonly platform: string;
  readonly file: string;
  readonly facts: ClusterFacts;
  readonly labels?: { readonly [key: string]: string };
}

const controlPlane = { 'machine.openshift.io/cluster-api-machine-role': 'master' };

const samples: readonly Sample[] = [
  { platform: 'AWS', file: 'aws', facts: factsWith('AWSCluster', { region: 'us-east-1' }) },
  {
    platform: 'Azure',
    file: 'azure',
    facts: factsWith(
      'AzureCluster',
      {
        location: 'test-location',
        resourceGroup: 'resource-group-12345678',
        networkSpec: {
          vnet: { name: 'vnet-12345678', resourceGroup: 'network-resource-group-12345678' },
          apiServerLB: { name: 'internal-load-balancer-12345678', type: 'Internal' },
          controlPlaneOutboundLB: { name: 'public-load-balancer-12345678' },
        },
      },
      { azureSubscriptionID: 'sub' },
    ),
    labels: controlPlane,
  },
  { platform: 'BareMetal', file: 'baremetal', facts: factsWith('Metal3Cluster', {}) },
  {
    platform: 'GCP',
    file: 'gcp',
    facts: factsWith('GCPCluster', {
      region: 'us-central1',
      project: 'openshift-cpms-unit-tests',
      network: { name: 'gcp-network-12345678' },
    }),
    labels: controlPlane,
  },
  { platform: 'OpenStack', file: 'openstack', facts: factsWith('OpenStackCluster', {}) },
  { platform: 'PowerVS', file: 'powervs', facts: factsWith('IBMPowerVSCluster', {}) },
  { platform: 'VSphere', file: 'vsphere', facts: factsWith('VSphereCluster', { server: 'test-vcenter' }) },
];

describe.skipIf(!vectorsPresent)('Provider specs as they are met in clusters', () => {
  it.each(samples.map((sample) => [sample.platform, sample] as const))(
    'When the sample of %s goes there and back, it should be accepted both ways',
    (platform, { file, facts, labels = {} }) => {
      const value = readVector<{ readonly [field: string]: unknown }>(`samples/providerspec-${file}.json`, {});
      const machine = {
        apiVersion: 'machine.openshift.io/v1beta1',
        kind: 'Machine',
        metadata: { name: 'worker', labels },
        spec: { providerSpec: { value } },
      };
      const conversion = platformConversion(platform)!;
      const there = machineToClusterApi(machine, conversion, facts);
      const back = machineToMachineApi(there.value, conversion, facts);
      expect([...there.errors, ...back.errors].map(formatFieldError)).toEqual([]);
      expect(back.value.spec.providerSpec?.value).toMatchObject({ kind: value['kind'] });
    },
  );
});
