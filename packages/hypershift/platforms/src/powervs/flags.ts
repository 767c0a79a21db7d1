import type { PlatformFlag } from '../platform.ts';

export const powervsFlags: readonly PlatformFlag[] = [
  { name: 'resource-group', value: 'string', required: true, description: 'Resource group of the cluster.' },
  { name: 'region', value: 'string', default: 'us-south', description: 'Power VS region.' },
  { name: 'zone', value: 'string', default: 'us-south', description: 'Power VS zone.' },
  { name: 'cloud-instance-id', value: 'string', description: 'Existing Power VS workspace.' },
  { name: 'vpc-region', value: 'string', default: 'us-south', description: 'Region of the VPC.' },
  { name: 'vpc', value: 'string', description: 'Existing VPC.' },
  { name: 'sys-type', value: 'string', default: 's922', description: 'Model of the hosts.' },
  {
    name: 'proc-type',
    value: 'string',
    default: 'shared',
    choices: ['dedicated', 'shared', 'capped'],
    description: 'How processors are used.',
  },
  { name: 'processors', value: 'string', default: '0.5', description: 'Processors of a node.' },
  { name: 'memory', value: 'integer', default: 32, description: 'Memory of a node in GB.' },
  { name: 'debug', value: 'boolean', description: 'Print requests to the cloud and its answers.' },
  { name: 'recreate-secrets', value: 'boolean', description: 'Make credentials anew.' },
  { name: 'transit-gateway-global-routing', value: 'boolean', description: 'Global routing of the transit gateway.' },
  { name: 'transit-gateway-location', value: 'string', description: 'Location of the transit gateway.' },
  { name: 'transit-gateway', value: 'string', description: 'Existing transit gateway.' },
];
