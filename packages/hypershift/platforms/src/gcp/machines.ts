import { labels, type NodePool } from '@hypershift-ts/hypershift-api';
import { gcpBootImage } from '@hypershift-ts/hypershift-release';
import type { JsonObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { gcpv1beta1 } from '@hypershift-ts/machines-providers';
import type { DesiredTemplate, MachineScope, MachineTemplate } from '../machines.ts';
import { bareTemplateSpec, given, machinePlatform, sorted } from '../shared/machine-platform.ts';
import { poolSettingsOf, settingsOf } from '../shared/settings.ts';
import { gcpInstanceFacts } from './machine-types.ts';

const scopes = [
  'devstorage.read_only',
  'logging.write',
  'monitoring.write',
  'servicecontrol',
  'service.management.readonly',
  'trace.append',
].map((scope) => `https://www.googleapis.com/auth/${scope}`);

type Labels = readonly { readonly key: string; readonly value?: string }[];
const asMap = (list: Labels = []): { [key: string]: string } =>
  Object.fromEntries(list.map(({ key, value }) => [key, value ?? '']));

const policies: ReadonlyMap<string, string> = new Map(Object.entries({ MIGRATE: 'Migrate', TERMINATE: 'Terminate' }));

/** What happens when the host is serviced; machines that can be taken back cannot be moved. */
function onHostMaintenance({ spec }: NodePool): string {
  const { onHostMaintenance: wanted, provisioningModel } = poolSettingsOf(spec.platform, 'gcp');
  const chosen = policies.get(wanted ?? '');
  if (chosen) return chosen;
  return provisioningModel === 'Spot' || provisioningModel === 'Preemptible' ? 'Terminate' : 'Migrate';
}

function template({ cluster, pool, release, stream }: MachineScope): DesiredTemplate {
  const settings = poolSettingsOf(pool.spec.platform, 'gcp');
  const { networkConfig, resourceLabels } = settingsOf(cluster.spec.platform, 'gcp');
  const { bootDisk, serviceAccount, provisioningModel: model } = settings;
  const infraID = cluster.spec.infraID ?? '';
  const key = bootDisk?.encryptionKey;
  const account: JsonObject | undefined = serviceAccount && {
    ...given('email', serviceAccount.email),
    scopes: [...(serviceAccount.scopes ?? scopes)],
  };
  const name = cluster.metadata.name ?? '';
  return {
    // Upstream hashes the machine alone here.
    counted: 'machine',
    uncounted: ['additionalLabels'],
    labels: {
      'cluster.x-k8s.io/cluster-name': infraID,
      [labels.nodePool.key]: pool.metadata.name ?? '',
      'hypershift.openshift.io/cluster': name,
      'cluster.x-k8s.io/cloned-from-name': '',
    },
    spec: bareTemplateSpec({
      instanceType: settings.machineType,
      subnet: settings.subnet || networkConfig.privateServiceConnectSubnet?.name || 'default',
      image: settings.image || gcpBootImage({ images: release.bootImages, stream, arch: pool.spec.arch }),
      additionalLabels: sorted({
        ...asMap(resourceLabels),
        ...asMap(settings.resourceLabels),
        'hypershift-openshift-io-cluster': name,
        'hypershift-openshift-io-infra-id': infraID,
      }),
      additionalMetadata: [
        { key: 'hypershift-cluster', value: name },
        { key: 'hypershift-nodepool', value: pool.metadata.name ?? '' },
        { key: 'hypershift-infra-id', value: infraID },
      ],
      additionalNetworkTags: [...(settings.networkTags ?? []), `${infraID}-worker`],
      rootDeviceSize: bootDisk?.diskSizeGB || 64,
      rootDeviceType: bootDisk?.diskType || 'pd-balanced',
      ...(account ? { serviceAccounts: account } : {}),
      ...(model === 'Preemptible' ? { preemptible: true } : {}),
      ...(model && model !== 'Preemptible' ? { provisioningModel: model } : {}),
      onHostMaintenance: onHostMaintenance(pool),
      ...(key ? { rootDiskEncryptionKey: { keyType: 'Managed', managedKey: { kmsKeyName: key.kmsKeyName } } } : {}),
    }),
  };
}

export const gcpMachines = machinePlatform({
  templates: gcpv1beta1.gcpmachinetemplates as unknown as ResourceType<MachineTemplate>, // Specs are JSON here.
  template,
  failureDomain: ({ spec }) => spec.platform.gcp?.zone,
  instanceType: ({ spec }) => ({ field: 'spec.platform.gcp.machineType', value: spec.platform.gcp?.machineType ?? '' }),
  instanceFacts: ({ spec }) => gcpInstanceFacts(spec.platform.gcp?.machineType ?? ''),
});
