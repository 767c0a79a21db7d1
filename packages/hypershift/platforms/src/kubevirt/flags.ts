import type { PlatformFlag } from '../platform.ts';

export const kubevirtFlags: readonly PlatformFlag[] = [
  {
    name: 'infra-kubeconfig-file',
    value: 'path',
    description: 'Kubeconfig of another cluster that runs the machines.',
  },
  { name: 'infra-namespace', value: 'string', description: 'Existing namespace there for the machines.' },
  {
    name: 'infra-storage-class-mapping',
    value: 'strings',
    description: 'Storage classes to offer, infra/guest[,group=].',
  },
  {
    name: 'infra-volumesnapshot-class-mapping',
    value: 'strings',
    description: 'Snapshot classes to offer, infra/guest[,group=].',
  },
  { name: 'api-server-address', value: 'string', description: 'Address of the API server for clients outside.' },
  {
    name: 'service-publishing-strategy',
    value: 'string',
    default: 'Ingress',
    choices: ['Ingress', 'NodePort'],
    description: 'How services of the control plane are published.',
  },
  { name: 'memory', value: 'string', default: '4Gi', description: 'Memory of a machine.' },
  { name: 'cores', value: 'integer', default: 2, description: 'Cores of a machine.' },
  { name: 'root-volume-storage-class', value: 'string', description: 'Storage class of root volumes.' },
  { name: 'root-volume-size', value: 'integer', default: 32, description: 'Size of a root volume in GiB.' },
  { name: 'root-volume-access-modes', value: 'strings', description: 'Access modes of root volumes.' },
  {
    name: 'root-volume-volume-mode',
    value: 'string',
    choices: ['Block', 'Filesystem'],
    description: 'Mode of root volumes.',
  },
  {
    name: 'root-volume-cache-strategy',
    value: 'string',
    choices: ['None', 'PVC'],
    description: 'Whether boot images are cached.',
  },
  {
    name: 'network-multiqueue',
    value: 'string',
    default: 'Enable',
    choices: ['Enable', 'Disable'],
    description: 'Several queues per interface.',
  },
  {
    name: 'qos-class',
    value: 'string',
    default: 'Burstable',
    choices: ['Burstable', 'Guaranteed'],
    description: 'Whether limits equal requests.',
  },
  { name: 'additional-network', value: 'strings', description: 'Further networks, name:<namespace/name>.' },
  {
    name: 'attach-default-network',
    value: 'boolean',
    default: true,
    description: 'Whether the pod network is attached.',
  },
  { name: 'vm-node-selector', value: 'strings', description: 'Labels of nodes that may run machines, key=value.' },
  { name: 'host-device-name', value: 'strings', description: 'Devices to pass through, name[,count:n].' },
  { name: 'containerdisk', value: 'string', description: 'Boot image instead of the one in the release.' },
];
