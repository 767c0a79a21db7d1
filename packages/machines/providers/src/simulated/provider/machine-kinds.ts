import { parseQuantity, tryParseQuantity } from '@hypershift-ts/kube-apimachinery';
import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import {
  agentv1beta1,
  awsv1beta2,
  azurev1beta1,
  gcpv1beta1,
  ibmcloudv1beta2,
  kubevirtv1alpha1,
  openstackv1beta1,
} from '../../generated/index.ts';
import { azureShape, ec2Shape, gceShape, ibmVpcShape, novaShape } from '../cloud/instance-shape.ts';
import { clusterNameLabel, type InfraMachine } from './capi-objects.ts';
import { defined, type MachineKind, numberIn, textIn } from './machine-kind.ts';

const infra = (type: ResourceType<KubeObject>) => type as ResourceType<InfraMachine>;
const uuidOf = (digits: string) =>
  [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
const own = (_digits: string, { metadata }: InfraMachine) => metadata.name ?? '';

const aws: MachineKind = {
  provider: 'aws',
  type: infra(awsv1beta2.awsmachines),
  clusterType: awsv1beta2.awsclusters,
  template: { type: awsv1beta2.awsmachinetemplates, nodeInfo: ['architecture', 'operatingSystem'] },
  finalizer: 'awsmachine.infrastructure.cluster.x-k8s.io',
  condition: { type: 'InstanceReady', provisionFailed: 'InstanceProvisionFailed', notReady: 'InstanceNotReady' },
  place: (cluster) => defined({ region: textIn(cluster, 'spec', 'region') }),
  wish({ spec }, owner, { region = 'us-east-1' }) {
    const instanceType = textIn(spec, 'instanceType') ?? '';
    return {
      instanceType,
      shape: ec2Shape(instanceType),
      zone: owner.spec.failureDomain ?? `${region}a`,
      region,
      isSpot: spec?.['spotMarketOptions'] !== undefined || spec?.['marketType'] === 'Spot',
      ...defined({ image: textIn(spec, 'ami', 'id'), diskGiB: numberIn(spec, 'rootVolume', 'size') }),
    };
  },
  instanceId: (digits) => `i-${digits.slice(0, 17)}`,
  providerID: (id, _machine, { zone }) => `aws:///${zone}/${id}`,
  nodeName: (address, { region }) =>
    `ip-${address.replaceAll('.', '-')}.${region === 'us-east-1' ? 'ec2' : `${region}.compute`}.internal`,
  unknownType: ({ instanceType }) => `InvalidParameterValue: Invalid value '${instanceType}' for InstanceType.`,
  noCapacity: ({ instanceType, zone }) =>
    `InsufficientInstanceCapacity: there is not enough ${instanceType} capacity in the Availability Zone ${zone}`,
  status: (_id, instanceState, { isSpot }) => ({ instanceState, ...(isSpot ? { interruptible: true } : {}) }),
};

const azureStates = { pending: 'Creating', running: 'Succeeded', 'shutting-down': 'Deleting', terminated: 'Deleted' };

const azure: MachineKind = {
  provider: 'azure',
  type: infra(azurev1beta1.azuremachines),
  clusterType: azurev1beta1.azureclusters,
  template: { type: azurev1beta1.azuremachinetemplates, nodeInfo: ['architecture', 'operatingSystem'] },
  finalizer: 'azuremachine.infrastructure.cluster.x-k8s.io',
  condition: { type: 'VMRunning', provisionFailed: 'VMProvisionFailed', notReady: 'VMCreating' },
  place: (cluster) =>
    defined({
      region: textIn(cluster, 'spec', 'location'),
      subscription: textIn(cluster, 'spec', 'subscriptionID'),
      resourceGroup: textIn(cluster, 'spec', 'resourceGroup'),
    }),
  wish({ spec }, owner, { region = 'eastus' }) {
    const instanceType = textIn(spec, 'vmSize') ?? '';
    const zone = textIn(spec, 'failureDomain') ?? owner.spec.failureDomain;
    return {
      instanceType,
      shape: azureShape(instanceType),
      region,
      isSpot: spec?.['spotVMOptions'] !== undefined,
      ...defined({ zone, image: textIn(spec, 'image', 'id'), diskGiB: numberIn(spec, 'osDisk', 'diskSizeGB') }),
    };
  },
  instanceId: own,
  providerID: (
    id,
    _machine,
    _wish,
    { subscription = '00000000-0000-0000-0000-000000000000', resourceGroup = 'simulated' },
  ) =>
    `azure:///subscriptions/${subscription}/resourceGroups/${resourceGroup}/providers/Microsoft.Compute/virtualMachines/${id}`,
  unknownType: ({ instanceType }) =>
    `InvalidParameter: The value ${instanceType} provided for the VM size is not valid.`,
  noCapacity: ({ instanceType, region }) =>
    `AllocationFailed: there is not enough ${instanceType} capacity in ${region}`,
  status: (_id, state) => ({ vmState: azureStates[state as keyof typeof azureStates] ?? 'Updating' }),
};

const gcp: MachineKind = {
  provider: 'gcp',
  type: infra(gcpv1beta1.gcpmachines),
  clusterType: gcpv1beta1.gcpclusters,
  finalizer: 'gcpmachine.infrastructure.cluster.x-k8s.io',
  place: (cluster) =>
    defined({ region: textIn(cluster, 'spec', 'region'), project: textIn(cluster, 'spec', 'project') }),
  wish({ spec }, owner, { region = 'us-central1' }) {
    const instanceType = textIn(spec, 'instanceType') ?? '';
    return {
      instanceType,
      shape: gceShape(instanceType),
      zone: owner.spec.failureDomain ?? `${region}-a`,
      region,
      isSpot: spec?.['preemptible'] === true || spec?.['provisioningModel'] === 'Spot',
      ...defined({ image: textIn(spec, 'image'), diskGiB: numberIn(spec, 'rootDeviceSize') }),
    };
  },
  instanceId: own,
  providerID: (id, _machine, { zone }, { project = 'simulated' }) => `gce://${project}/${zone}/${id}`,
  unknownType: ({ instanceType, zone }) =>
    `Invalid value for field 'resource.machineType': 'zones/${zone}/machineTypes/${instanceType}'. The referenced resource does not exist.`,
  noCapacity: ({ zone }) => `ZONE_RESOURCE_POOL_EXHAUSTED: the zone '${zone}' does not have enough resources available`,
  status: (_id, state) => ({
    instanceState: { pending: 'PROVISIONING', 'shutting-down': 'STOPPING' }[state as string] ?? state.toUpperCase(),
  }),
};

const domain = ['virtualMachineTemplate', 'spec', 'template', 'spec', 'domain'] as const;

const kubevirt: MachineKind = {
  provider: 'kubevirt',
  type: infra(kubevirtv1alpha1.kubevirtmachines),
  clusterType: kubevirtv1alpha1.kubevirtclusters,
  finalizer: 'kubevirtmachine.infrastructure.cluster.x-k8s.io',
  condition: { type: 'VMProvisioned', provisionFailed: 'VMCreateFailed', notReady: 'VMNotReady' },
  place: () => ({}),
  wish({ spec }) {
    const cpu =
      numberIn(spec, ...domain, 'cpu', 'cores') ?? amount(textIn(spec, ...domain, 'resources', 'requests', 'cpu'));
    const memory =
      textIn(spec, ...domain, 'memory', 'guest') ?? textIn(spec, ...domain, 'resources', 'requests', 'memory');
    const bytes = amount(memory);
    const isComplete = cpu !== undefined && bytes !== undefined && cpu > 0 && bytes > 0;
    return {
      instanceType: 'virtual-machine',
      shape: isComplete
        ? { cpu: Math.ceil(cpu), memoryMiB: Math.floor(bytes / 1024 / 1024), architecture: 'amd64' }
        : undefined,
    };
  },
  instanceId: own,
  providerID: (id) => `kubevirt://${id}`,
  unknownType: () => 'the virtual machine template names no CPU cores or no guest memory',
  noCapacity: () => 'ErrorUnschedulable: no node of the infrastructure cluster has room for the virtual machine',
};

const agent: MachineKind = {
  provider: 'agent',
  type: infra(agentv1beta1.agentmachines),
  clusterType: agentv1beta1.agentclusters,
  finalizer: 'agentmachine.agent-install.openshift.io/deprovision',
  condition: { type: 'Installed', provisionFailed: 'InstallationFailed', notReady: 'InstallationInProgress' },
  place: () => ({}),
  // Hosts are what somebody plugged in; this cloud always has one more of these.
  wish: () => ({ instanceType: 'host', shape: { cpu: 8, memoryMiB: 32 * 1024, architecture: 'amd64' } }),
  instanceId: uuidOf,
  providerID: (id) => `agent://${id}`,
  unknownType: () => 'no such host',
  noCapacity: () => 'NoSuitableAgents: no Agent that matches the label selector is free',
};

const openstack: MachineKind = {
  provider: 'openstack',
  type: infra(openstackv1beta1.openstackmachines),
  clusterType: openstackv1beta1.openstackclusters,
  template: { type: openstackv1beta1.openstackmachinetemplates, nodeInfo: ['operatingSystem'] },
  finalizer: 'openstackmachine.infrastructure.cluster.x-k8s.io',
  condition: { type: 'InstanceReady', provisionFailed: 'InstanceCreateFailed', notReady: 'InstanceNotReady' },
  place: () => ({}),
  wish({ spec }, owner) {
    const instanceType = textIn(spec, 'flavor') ?? '';
    const zone = owner.spec.failureDomain;
    return { instanceType, shape: novaShape(instanceType), ...defined({ zone }) };
  },
  instanceId: uuidOf,
  providerID: (id) => `openstack:///${id}`,
  unknownType: ({ instanceType }) => `Flavor ${instanceType} could not be found.`,
  noCapacity: () => 'No valid host was found. There are not enough hosts available.',
  status: (instanceID, state) => ({
    instanceID,
    instanceState: { pending: 'BUILD', running: 'ACTIVE', terminated: 'DELETED' }[state as string] ?? 'SHUTOFF',
  }),
};

const powervs: MachineKind = {
  provider: 'ibmcloud',
  type: infra(ibmcloudv1beta2.ibmpowervsmachines),
  clusterType: ibmcloudv1beta2.ibmpowervsclusters,
  template: { type: ibmcloudv1beta2.ibmpowervsmachinetemplates, nodeInfo: [] },
  finalizer: 'ibmpowervsmachine.infrastructure.cluster.x-k8s.io',
  condition: { type: 'InstanceReady', provisionFailed: 'InstanceProvisionFailed', notReady: 'InstanceNotReady' },
  place: (cluster) => defined({ region: textIn(cluster, 'spec', 'zone') }),
  wish({ spec }, _owner, { region = 'us-south' }) {
    const processors = numberIn(spec, 'processors') ?? 0.25;
    const memoryGiB = numberIn(spec, 'memoryGiB') ?? 2;
    const type = textIn(spec, 'systemType') ?? 's922';
    // A core of a POWER system runs eight threads.
    const shape = {
      cpu: Math.max(1, Math.ceil(processors * 8)),
      memoryMiB: memoryGiB * 1024,
      architecture: 'ppc64le',
    } as const;
    return { instanceType: type, shape, region, zone: region };
  },
  instanceId: uuidOf,
  providerID: (id, { spec }, { region, zone }) =>
    `ibmpowervs://${region}/${zone}/${textIn(spec, 'serviceInstanceID') ?? textIn(spec, 'serviceInstance', 'id') ?? 'simulated'}/${id}`,
  unknownType: ({ instanceType }) =>
    `pcloudPvminstancesPostBadRequest: the system type ${instanceType} is not supported`,
  noCapacity: ({ instanceType }) => `there is not enough capacity on ${instanceType} systems`,
  status: (instanceID, state, { region, zone }) => ({
    instanceID,
    instanceState: { pending: 'BUILD', running: 'ACTIVE', terminated: 'ERROR' }[state as string] ?? 'SHUTOFF',
    ...defined({ region, zone }),
  }),
};

const ibmVpc: MachineKind = {
  provider: 'ibmcloud',
  type: infra(ibmcloudv1beta2.ibmvpcmachines),
  clusterType: ibmcloudv1beta2.ibmvpcclusters,
  template: { type: ibmcloudv1beta2.ibmvpcmachinetemplates, nodeInfo: [] },
  finalizer: 'ibmvpcmachine.infrastructure.cluster.x-k8s.io',
  condition: { type: 'InstanceReady', provisionFailed: 'InstanceProvisionFailed', notReady: 'InstanceNotReady' },
  place: (cluster) => defined({ region: textIn(cluster, 'spec', 'region') }),
  wish({ spec }, _owner, { region = 'us-south' }) {
    const instanceType = textIn(spec, 'profile') ?? '';
    return { instanceType, shape: ibmVpcShape(instanceType), zone: textIn(spec, 'zone') ?? `${region}-1`, region };
  },
  instanceId: (digits) => `0717_${uuidOf(digits)}`,
  providerID: (id, { metadata }) => `ibm://simulated///${metadata.labels?.[clusterNameLabel] ?? ''}/${id}`,
  unknownType: ({ instanceType }) => `instance_profile_not_found: no instance profile is called ${instanceType}`,
  noCapacity: ({ zone }) => `cannot_start_capacity: there is not enough capacity in ${zone}`,
  status: (instanceID, instanceState) => ({ instanceID, instanceState }),
};

/** Every kind of machine the simulated cloud answers to. */
export const machineKinds: readonly MachineKind[] = [aws, azure, gcp, kubevirt, agent, openstack, powervs, ibmVpc];

function amount(text: string | undefined): number | undefined {
  return text !== undefined && tryParseQuantity(text) ? parseQuantity(text).asApproximateFloat() : undefined;
}
