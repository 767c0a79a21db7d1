import { stringify } from 'yaml';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { UserError } from '../../cli-error.ts';
import { parseFields, present } from '../json-fields.ts';
import type { NodeBuilder, PlatformBuilder, PlatformFlagValues } from '../platform-builder.ts';
import type { ClusterRequest, NodePoolPlatform } from '../request.ts';
import { base64, clusterSecret } from '../secrets.ts';
import { ingressServices } from '../services.ts';
import { flagsNamed } from './flags-named.ts';

/** The only cloud in the clouds.yaml that control planes get. */
const cloudName = 'openstack';
const defaultMachineNetwork = '10.0.0.0/16';
const credentialsFlag = 'openstack-credentials-file';

const credentialsName = ({ name }: ClusterRequest) => `${name}-cloud-credentials`;

type Port = NonNullable<NonNullable<NodePoolPlatform['openstack']>['additionalPorts']>[number];

/** `network-id:<id>,vnic-type:direct,disable-port-security:true,address-pairs:10.0.0.1-10.0.0.2`. */
function port(text: string): Port {
  const settings = new Map(
    text.split(',').map((part) => {
      const at = part.indexOf(':');
      return [part.slice(0, at), part.slice(at + 1)] as const;
    }),
  );
  const network = settings.get('network-id');
  if (!network)
    throw new UserError(
      `--openstack-node-additional-port ${text}: no network`,
      'Write it as network-id:<id>[,vnic-type:<type>][,disable-port-security:true][,address-pairs:<ip>-<ip>].',
    );
  const pairs = settings.get('address-pairs');
  return {
    network: { id: network },
    ...present({ vnicType: settings.get('vnic-type') }),
    ...(settings.get('disable-port-security') === 'true' ? { portSecurityPolicy: 'Disabled' } : {}),
    ...(pairs ? { allowedAddressPairs: pairs.split('-').map((ipAddress) => ({ ipAddress })) } : {}),
  } as Port;
}

const nodes: NodeBuilder = {
  flags: flagsNamed('OpenStack', [
    'openstack-node-flavor',
    'openstack-node-image-name',
    'openstack-node-availability-zone',
    'openstack-node-additional-port',
  ]),
  upgradeType: 'Replace',
  build(flags) {
    const ports = flags.texts('openstack-node-additional-port').map(port);
    const openstack = {
      flavor: flags.text('openstack-node-flavor') ?? '',
      ...present({
        imageName: flags.text('openstack-node-image-name'),
        availabilityZone: flags.text('openstack-node-availability-zone'),
      }),
      ...(ports.length > 0 ? { additionalPorts: ports } : {}),
    };
    return { type: 'OpenStack', openstack: openstack as NonNullable<NodePoolPlatform['openstack']> };
  },
};

/** A clouds.yaml with only the cloud that is used, under the name control planes expect. */
function onlyCloud(text: string, name: string): string {
  const { clouds } = parseFields(text, credentialsFlag);
  const cloud = isJsonObject(clouds) ? clouds[name] : undefined;
  if (!isJsonObject(cloud))
    throw new UserError(
      `--${credentialsFlag}: there is no cloud "${name}"`,
      `Choose one with --openstack-cloud: ${isJsonObject(clouds) ? Object.keys(clouds).join(', ') : 'the file has none'}`,
    );
  // Certificates are handed over on their own; a path of this machine means nothing elsewhere.
  const { cacert: _cacert, ...rest } = cloud;
  return stringify({ clouds: { [cloudName]: rest } }, { indent: 4 });
}

function credentials(flags: PlatformFlagValues, request: ClusterRequest) {
  const text = flags.file(credentialsFlag);
  if (text === undefined)
    throw new UserError('no credentials of OpenStack are given', `Name a clouds.yaml with --${credentialsFlag}.`);
  const authority = flags.file('openstack-ca-cert-file');
  const data = {
    'clouds.yaml': base64(onlyCloud(text, flags.text('openstack-cloud') ?? cloudName)),
    ...(authority ? { cacert: base64(authority) } : {}),
  };
  return clusterSecret(request, credentialsName(request), data, 'Opaque');
}

/** OpenStack: servers of an OpenStack cloud. */
export const openstack: PlatformBuilder = {
  type: 'OpenStack',
  command: 'openstack',
  summary: 'A cluster on an OpenStack cloud',
  examples: [
    'hypershift create cluster openstack --name demo --openstack-credentials-file clouds.yaml --openstack-node-flavor m1.xlarge --pull-secret pull-secret.json',
  ],
  nodes,
  simulated: () => ({
    flags: { 'openstack-node-flavor': 'm1.xlarge' },
    files: { [credentialsFlag]: `clouds:\n  ${cloudName}:\n    auth:\n      auth_url: https://openstack.simulated\n` },
  }),
  build(flags, request) {
    if (request.externalDnsDomain)
      throw new UserError('--external-dns-domain does not work on OpenStack', 'Leave it out.');
    const network = flags.text('openstack-external-network-id');
    const servers = flags.list('openstack-dns-nameservers');
    return {
      spec: {
        platform: {
          type: 'OpenStack',
          openstack: {
            identityRef: { name: credentialsName(request), cloudName },
            ...(network ? { externalNetwork: { id: network } } : {}),
            ...present({ ingressFloatingIP: flags.text('openstack-ingress-floating-ip') }),
            ...(servers.length > 0 ? { managedSubnets: [{ dnsNameservers: [...servers] }] } : {}),
          },
        },
        ...(request.machineCidr.length > 0
          ? {}
          : { networking: { machineNetwork: [{ cidr: defaultMachineNetwork }] } }),
        services: ingressServices({ apiServerRoute: false }),
      },
      objects: [credentials(flags, request)],
      nodePools: [{ platform: nodes.build(flags, request) }],
    };
  },
};
