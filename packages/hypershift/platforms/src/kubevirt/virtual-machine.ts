/** The virtual machine of a node, members in the order of KubeVirt's Go types. */
import { annotations, labels, type NodePool } from '@hypershift-ts/hypershift-api';
import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import { PlatformError } from '../errors.ts';
import type { MachineScope } from '../machines.ts';
import { given, set, sorted } from '../shared/machine-platform.ts';
import { poolSettingsOf } from '../shared/settings.ts';

type Settings = NonNullable<NodePool['spec']['platform']['kubevirt']>;

const rootVolume = 'rhcos';
const localVolumes =
  'private,public,sockets,virt-bin-share-dir,libvirt-runtime,ephemeral-disks,container-disks,hotplug-disks';

interface Interface {
  readonly name: string;
  readonly network: JsonObject;
}

/** Networks of the machine: the pod network of its host, and those the user adds. */
function interfaces({ attachDefaultNetwork, additionalNetworks = [] }: Settings): readonly Interface[] {
  const found: readonly Interface[] = [
    ...(attachDefaultNetwork ? [{ name: 'default', network: { pod: {} } }] : []),
    ...additionalNetworks.map(({ name }, index) => ({
      name: `iface${index + 1}_${name.replaceAll('/', '-')}`,
      network: { multus: { networkName: name } },
    })),
  ];
  if (found.length > 0) return found;
  throw new PlatformError('PLATFORM_SETTING_INVALID', {
    message: 'default network cannot be disabled when no additional networks are configured',
    fix: 'set spec.platform.kubevirt.additionalNetworks, or attachDefaultNetwork: true',
    field: 'spec.platform.kubevirt.attachDefaultNetwork',
  });
}

function computing({ compute }: Settings): JsonObject {
  const { cores, memory, qosClass } = compute;
  if (qosClass !== 'Guaranteed') return { ...(cores ? { cpu: { cores } } : {}), memory: { guest: String(memory) } };
  const amounts = { ...(cores ? { cpu: String(cores) } : {}), memory: String(memory) };
  return { resources: { requests: amounts, limits: amounts } };
}

const hostDevices = ({ hostDevices: wanted = [] }: Settings): readonly JsonObject[] =>
  wanted
    .flatMap(({ deviceName, count }) => Array.from({ length: count }, () => deviceName))
    .map((deviceName, index) => ({ name: `hostdevice-${index + 1}`, deviceName }));

function domain(settings: Settings): JsonObject {
  return {
    ...computing(settings),
    devices: {
      disks: [{ name: rootVolume, disk: { bus: 'virtio' } }],
      interfaces: interfaces(settings).map(({ name }) => ({ name, bridge: {} })),
      ...(settings.networkInterfaceMultiqueue === 'Enable' ? { networkInterfaceMultiqueue: true } : {}),
      ...given('hostDevices', hostDevices(settings)),
    },
  };
}

/** Machines of a pool run on different hosts where that is possible. */
function spreading({ metadata }: NodePool): {
  readonly affinity?: JsonObject;
  readonly constraints?: readonly JsonObject[];
} {
  const name = metadata.name ?? '';
  const topologyKey = 'kubernetes.io/hostname';
  if (metadata.annotations?.[annotations.nodepoolSupportsKubevirtTopologySpreadConstraints.key] !== undefined)
    return {
      constraints: [
        {
          maxSkew: 1,
          topologyKey,
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: { matchLabels: { [labels.nodepoolName.key]: name } },
        },
      ],
    };
  const labelSelector = {
    matchExpressions: [{ key: labels.nodepoolName.key, operator: 'In', values: [name] }],
  };
  return {
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 100, podAffinityTerm: { labelSelector, topologyKey } },
        ],
      },
    },
  };
}

function dataVolume({ rootVolume: volume }: Settings, image: string): JsonObject {
  const { persistent } = volume;
  return {
    metadata: { name: rootVolume, labels: { [labels.isKubevirtRhcos.key]: 'true' } },
    spec: {
      source: { registry: { url: image, pullMethod: 'node' } },
      storage: {
        ...given('accessModes', persistent?.accessModes && [...persistent.accessModes]),
        resources: { requests: { storage: String(persistent?.size ?? '32Gi') } },
        ...set('storageClassName', persistent?.storageClass),
        ...set('volumeMode', persistent?.volumeMode),
      },
    },
  };
}

/** Everything a KubevirtMachine says about its virtual machine, before users patch it. */
export function virtualMachine({ cluster, pool }: MachineScope, image: string): JsonObject {
  const settings = poolSettingsOf(pool.spec.platform, 'kubevirt');
  const marks = sorted({
    [labels.infraId.key]: cluster.spec.infraID ?? '',
    [labels.nodepoolName.key]: pool.metadata.name ?? '',
  });
  const { affinity, constraints } = spreading(pool);
  const namespace = cluster.spec.platform.kubevirt?.credentials?.infraNamespace;
  return {
    metadata: { ...given('namespace', namespace), labels: marks },
    spec: {
      runStrategy: 'Always',
      template: {
        metadata: {
          labels: marks,
          annotations: sorted({
            'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes': localVolumes,
            ...(settings.attachDefaultNetwork ? { 'kubevirt.io/allow-pod-bridge-network-live-migration': '' } : {}),
          }),
        },
        spec: {
          domain: domain(settings),
          ...(settings.nodeSelector ? { nodeSelector: sorted(settings.nodeSelector) } : {}),
          ...set('affinity', affinity),
          ...set('topologySpreadConstraints', constraints),
          // The provider decides what becomes of a machine whose host is drained.
          evictionStrategy: 'External',
          volumes: [{ name: rootVolume, dataVolume: { name: rootVolume } }],
          networks: interfaces(settings).map(({ name, network }) => ({ name, ...network })),
        },
      },
      dataVolumeTemplates: [dataVolume(settings, image)],
    },
  };
}
