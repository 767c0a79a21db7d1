import { isJsonObject, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import { UserError } from '../../cli-error.ts';
import { requiredText } from '../json-fields.ts';
import type { JsonFields, NodeBuilder, PlatformBuilder } from '../platform-builder.ts';
import type { HostedClusterSpec, NodePoolPlatform } from '../request.ts';
import { ingressServices } from '../services.ts';
import { flagsNamed } from './flags-named.ts';

const machineNetwork = '10.0.0.0/16';

/** Credentials of components: name in the infrastructure file, field of the spec. */
const credentials = [
  ['KubeCloudControllerManager', 'kubeCloudControllerCreds'],
  ['NodePoolManagement', 'nodePoolManagementCreds'],
  ['IngressOperator', 'ingressOperatorCloudCreds'],
  ['StorageOperator', 'storageOperatorCloudCreds'],
  ['ImageRegistryOperator', 'imageRegistryOperatorCloudCreds'],
] as const;

const nodes: NodeBuilder = {
  flags: flagsNamed('PowerVS', ['sys-type', 'proc-type', 'processors', 'memory']),
  upgradeType: 'Replace',
  build(flags) {
    return {
      type: 'PowerVS',
      powervs: {
        systemType: flags.text('sys-type') ?? 's922',
        processorType: (flags.text('proc-type') ?? 'shared') as 'shared',
        processors: flags.text('processors') ?? '0.5',
        memoryGiB: flags.number('memory') ?? 32,
      } as NonNullable<NodePoolPlatform['powervs']>,
    };
  },
};

/** Secrets as the infrastructure file holds them: whole objects, whose names matter. */
function secretsOf(infra: JsonFields): ReadonlyMap<string, KubeObject> {
  const secrets = infra['secrets'];
  const found = new Map<string, KubeObject>();
  for (const [name] of credentials) {
    const secret = isJsonObject(secrets) ? secrets[name] : undefined;
    const metadata = isJsonObject(secret) ? secret['metadata'] : undefined;
    if (!isJsonObject(secret) || !isJsonObject(metadata) || typeof metadata['name'] !== 'string')
      throw new UserError(`--infra-json: secrets.${name} is missing`, 'Check that it is the right file.');
    found.set(name, { ...(secret as unknown as KubeObject), apiVersion: 'v1', kind: 'Secret' });
  }
  return found;
}

const simulatedText = Buffer.from('simulated').toString('base64');
const simulatedKey = { ibmcloud_api_key: simulatedText, 'ibm-credentials.env': simulatedText };

/** Power VS: IBM Power servers. */
export const powervs: PlatformBuilder = {
  type: 'PowerVS',
  command: 'powervs',
  summary: 'A cluster on IBM Power Virtual Servers',
  examples: [
    'hypershift create cluster powervs --name demo --resource-group my-group --infra-json infra.json --pull-secret pull-secret.json --render',
  ],
  nodes,
  simulated: ({ name, infraID, baseDomain }) => ({
    flags: { 'resource-group': 'simulated' },
    infra: {
      id: infraID,
      accountID: 'simulated',
      baseDomain: baseDomain ?? 'example.com',
      cisCrn: 'crn:v1:bluemix:public:internet-svcs:global:a/simulated::',
      cisDomainID: 'simulated',
      cloudInstanceID: '00000000-0000-4000-8000-000000000000',
      dhcpSubnet: `${name}-dhcp`,
      dhcpSubnetID: 'simulated',
      vpcName: `${name}-vpc`,
      vpcSubnetName: `${name}-subnet`,
      secrets: Object.fromEntries(
        credentials.map(([key]) => [key, { metadata: { name: `${name}-${key.toLowerCase()}` }, data: simulatedKey }]),
      ),
    },
  }),
  build(flags, request, { infra }) {
    if (!infra)
      throw new UserError(
        'Power VS infrastructure is not made by this command',
        'Name the file that describes it with --infra-json.',
      );
    const field = (name: string) => requiredText(infra, name, 'infra-json');
    const secrets = secretsOf(infra);
    const references = Object.fromEntries(
      credentials.map(([name, spec]) => [spec, { name: secrets.get(name)?.metadata.name ?? '' }]),
    );
    const settings = {
      accountID: field('accountID'),
      resourceGroup: flags.text('resource-group') ?? '',
      region: flags.text('region') ?? '',
      zone: flags.text('zone') ?? '',
      cisInstanceCRN: field('cisCrn'),
      serviceInstanceID: field('cloudInstanceID'),
      subnet: { name: field('dhcpSubnet'), id: field('dhcpSubnetID') },
      vpc: { name: field('vpcName'), region: flags.text('vpc-region') ?? '', subnet: field('vpcSubnetName') },
      ...references,
    };
    return {
      spec: {
        platform: {
          type: 'PowerVS',
          powervs: settings as unknown as NonNullable<HostedClusterSpec['platform']['powervs']>,
        },
        dns: {
          baseDomain: field('baseDomain'),
          publicZoneID: field('cisDomainID'),
          privateZoneID: field('cisDomainID'),
        },
        infraID: field('id'),
        networking: { machineNetwork: [{ cidr: machineNetwork }] },
        services: ingressServices({ apiServerRoute: request.externalDnsDomain !== undefined }),
      },
      objects: [...secrets.values()].map((secret) => ({
        ...secret,
        metadata: { namespace: request.namespace, ...secret.metadata },
      })),
      // Nothing else runs on these machines.
      arch: 'ppc64le',
      nodePools: [{ platform: nodes.build(flags, request) }],
    };
  },
};
