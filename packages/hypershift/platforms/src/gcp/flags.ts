import type { PlatformFlag } from '../platform.ts';

const required = (name: string, description: string): PlatformFlag => ({
  name,
  value: 'string',
  required: true,
  description,
});

export const gcpFlags: readonly PlatformFlag[] = [
  required('project', 'Project of the cluster.'),
  required('region', 'Region of the cluster.'),
  required('network', 'VPC network of the cluster.'),
  required('private-service-connect-subnet', 'Subnet of the endpoint towards the control plane.'),
  required('workload-identity-project-number', 'Number of the project that holds the workload identity pool.'),
  required('workload-identity-pool-id', 'Workload identity pool.'),
  required('workload-identity-provider-id', 'Provider in that pool.'),
  required('node-pool-service-account', 'Service account of Cluster API.'),
  required('control-plane-service-account', 'Service account of the control plane operator.'),
  required('cloud-controller-service-account', 'Service account of the cloud controller manager.'),
  required('storage-service-account', 'Service account of the persistent disk driver.'),
  required('image-registry-service-account', 'Service account of the image registry.'),
  required('network-service-account', 'Service account of the cloud network configuration controller.'),
  {
    name: 'service-account-signing-key-path',
    value: 'path',
    description: 'Key that signs service account tokens.',
  },
  { name: 'oidc-issuer-url', value: 'string', description: 'Issuer of service account tokens.' },
  {
    name: 'endpoint-access',
    value: 'string',
    default: 'Private',
    choices: ['Private', 'PublicAndPrivate'],
    description: 'Who reaches the API server.',
  },
  { name: 'machine-type', value: 'string', default: 'n2-standard-4', description: 'Machine type of the nodes.' },
  { name: 'zone', value: 'string', description: 'Zone of the nodes; <region>-a when not given.' },
  { name: 'subnet', value: 'string', description: 'Subnet of the nodes; that of the endpoint when not given.' },
  { name: 'boot-image', value: 'string', description: 'Boot image instead of the one in the release.' },
];
