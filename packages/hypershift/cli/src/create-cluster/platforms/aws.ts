import { annotations } from '@hypershift-ts/hypershift-api';
import { isJsonObject, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import { UserError } from '../../cli-error.ts';
import { keyValues } from '../../key-values.ts';
import { parseFields, requiredText, textField } from '../json-fields.ts';
import type { JsonFields, PlatformBuilder, PlatformFlagValues } from '../platform-builder.ts';
import type { ClusterRequest, HostedClusterSpec } from '../request.ts';
import { base64, clusterSecret } from '../secrets.ts';
import { ingressServices, namedServices } from '../services.ts';
import { awsNodePlatform, awsNodes } from './aws-nodes.ts';
import { issuerKeyName } from './issuer-key.ts';
import { simulatedAws } from './aws-simulated.ts';

type Settings = NonNullable<HostedClusterSpec['platform']['aws']>;

interface Zone {
  readonly name: string;
  readonly subnet: string;
}

function zonesOf(infra: JsonFields): readonly [Zone, ...Zone[]] {
  const zones = (Array.isArray(infra['zones']) ? (infra['zones'] as readonly unknown[]) : [])
    .filter(isJsonObject)
    .map((zone) => ({
      name: requiredText(zone, 'name', 'infra-json'),
      subnet: requiredText(zone, 'subnetID', 'infra-json'),
    }));
  if (!zones[0]) throw new UserError('--infra-json: it has no zones', 'Check that it is the right file.');
  return zones as [Zone, ...Zone[]];
}

function tags(flags: PlatformFlagValues): Pick<Settings, 'resourceTags'> {
  const rosa = flags.isSet('use-rosa-managed-policies') ? ['red-hat-managed=true', 'red-hat-clustertype=rosa'] : [];
  const all = Object.entries(keyValues([...flags.list('additional-tags'), ...rosa], 'additional-tags'));
  return all.length > 0 ? { resourceTags: all.map(([key, value]) => ({ key, value })) } : {};
}

function sharedVpc(iam: JsonFields, infra: JsonFields): Partial<Settings> {
  const ingressARN = textField(iam, 'sharedIngressRoleARN');
  const controlPlaneARN = textField(iam, 'sharedControlPlaneRoleARN');
  if (!ingressARN || !controlPlaneARN) return {};
  return {
    sharedVPC: { rolesRef: { ingressARN, controlPlaneARN }, localZoneID: textField(infra, 'localZoneID') ?? '' },
    additionalAllowedPrincipals: [controlPlaneARN],
  };
}

function settingsOf(
  flags: PlatformFlagValues,
  infra: JsonFields,
  iam: JsonFields,
  [first]: readonly [Zone, ...Zone[]],
): Settings {
  return {
    region: flags.text('region') ?? '',
    rolesRef: iam['roles'] as Settings['rolesRef'],
    cloudProviderConfig: {
      vpc: requiredText(infra, 'vpcID', 'infra-json'),
      subnet: { id: first.subnet },
      zone: first.name,
    },
    endpointAccess: flags.text('endpoint-access') as 'Public',
    ...tags(flags),
    ...sharedVpc(iam, infra),
  };
}

function dns(infra: JsonFields, request: ClusterRequest): NonNullable<HostedClusterSpec['dns']> {
  const prefix = textField(infra, 'baseDomainPrefix') ?? request.baseDomainPrefix;
  const publicZoneID = textField(infra, 'publicZoneID');
  const privateZoneID = textField(infra, 'privateZoneID');
  return {
    baseDomain: textField(infra, 'baseDomain') ?? request.baseDomain ?? '',
    ...(prefix ? { baseDomainPrefix: prefix === 'none' ? '' : prefix } : {}),
    ...(publicZoneID ? { publicZoneID } : {}),
    ...(privateZoneID ? { privateZoneID } : {}),
  };
}

function proxy(infra: JsonFields): Pick<HostedClusterSpec, 'configuration'> {
  const plain = textField(infra, 'proxyAddr');
  const secure = textField(infra, 'secureProxyAddr');
  if (!plain && !secure) return {};
  const trustedCA = textField(infra, 'proxyCA') ? { trustedCA: { name: proxyAuthorityName(infra) } } : {};
  return {
    configuration: {
      proxy: { ...(plain ? { httpProxy: plain } : {}), httpsProxy: secure ?? plain ?? '', ...trustedCA },
    },
  } as Pick<HostedClusterSpec, 'configuration'>;
}

const proxyAuthorityName = (infra: JsonFields) => `${textField(infra, 'Name')}-proxy-ca`;

function keyService(flags: PlatformFlagValues, iam: JsonFields): Pick<HostedClusterSpec, 'secretEncryption'> {
  const role = textField(iam, 'kmsProviderRoleARN');
  if (!role) return {};
  const arn = flags.text('kms-key-arn') ?? requiredText(iam, 'kmsKeyARN', 'iam-json');
  return {
    secretEncryption: {
      type: 'kms',
      kms: { provider: 'AWS', aws: { region: flags.text('region') ?? '', activeKey: { arn }, auth: { awsKms: role } } },
    },
  };
}

function autoNode(flags: PlatformFlagValues, iam: JsonFields): Pick<HostedClusterSpec, 'autoNode'> {
  if (!flags.isSet('auto-node')) return {};
  const roleARN = requiredText(iam, 'karpenterRoleARN', 'iam-json');
  return {
    autoNode: { provisionerConfig: { name: 'Karpenter', karpenter: { platform: 'AWS', aws: { roleARN } } } },
  } as Pick<HostedClusterSpec, 'autoNode'>;
}

function objectsOf(flags: PlatformFlagValues, request: ClusterRequest, infra: JsonFields): readonly KubeObject[] {
  const authority = textField(infra, 'proxyCA');
  const proxyKey = textField(infra, 'proxyPrivateSSHKey');
  const issuerKey = flags.file('sa-token-issuer-private-key-path');
  return [
    ...(authority
      ? [
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: proxyAuthorityName(infra), namespace: request.namespace },
            data: { 'ca-bundle.crt': authority },
          },
        ]
      : []),
    ...(proxyKey
      ? [clusterSecret(request, `${textField(infra, 'Name')}-proxy-ssh-key`, { privatekey: proxyKey })]
      : []),
    ...(issuerKey ? [clusterSecret(request, issuerKeyName(request), { key: base64(issuerKey) })] : []),
  ];
}

function services(flags: PlatformFlagValues, request: ClusterRequest) {
  const domain = request.externalDnsDomain;
  const plain = ingressServices({ apiServerRoute: domain !== undefined });
  if (!domain) return plain;
  const everywhere = ['APIServer', 'OAuthServer'];
  const isPublic = flags.text('endpoint-access') === 'Public';
  const named = isPublic ? [...everywhere, 'Konnectivity', 'Ignition'] : everywhere;
  return namedServices(plain, { cluster: request.name, domain, services: named });
}

/** AWS: EC2 instances in a network that exists already. */
export const aws: PlatformBuilder = {
  type: 'AWS',
  command: 'aws',
  summary: 'A cluster on Amazon Web Services',
  examples: [
    'hypershift create cluster aws --name demo --region us-east-1 --infra-json infra.json --iam-json iam.json --pull-secret pull-secret.json',
    'hypershift create cluster aws --name demo --node-pool-replicas 2 --wait   # embedded: the cloud is simulated',
  ],
  nodes: awsNodes,
  simulated: simulatedAws,
  build(flags, request, { infra }) {
    const iamText = flags.file('iam-json');
    if (!infra || !iamText)
      throw new UserError(
        'AWS infrastructure and roles are not made by this command',
        'Describe what exists with --infra-json and --iam-json.',
      );
    if (flags.isSet('enable-proxy') && flags.isSet('enable-secure-proxy'))
      throw new UserError('--enable-proxy and --enable-secure-proxy cannot be given together', 'Leave one out.');
    const iam = parseFields(iamText, 'iam-json');
    const zones = zonesOf(infra);
    const machineNetwork = textField(infra, 'machineCIDR');
    const key = flags.file('sa-token-issuer-private-key-path');
    return {
      spec: {
        platform: { type: 'AWS', aws: settingsOf(flags, infra, iam, zones) },
        infraID: requiredText(infra, 'infraID', 'infra-json'),
        issuerURL: requiredText(iam, 'issuerURL', 'iam-json'),
        ...(key ? { serviceAccountSigningKey: { name: issuerKeyName(request) } } : {}),
        ...(machineNetwork ? { networking: { machineNetwork: [{ cidr: machineNetwork }] } } : {}),
        dns: dns(infra, request),
        ...proxy(infra),
        ...keyService(flags, iam),
        ...autoNode(flags, iam),
        services: services(flags, request),
      },
      etcdStorageClass: 'gp3-csi',
      ...(infra['publicOnly'] === true ? { annotations: { [annotations.awsMachinePublicIps.key]: 'true' } } : {}),
      objects: objectsOf(flags, request, infra),
      nodePools: zones.map(({ name, subnet }) => ({
        suffix: name,
        platform: awsNodePlatform(flags, {
          arch: request.arch,
          subnet,
          profile: requiredText(iam, 'profileName', 'iam-json'),
        }),
      })),
    };
  },
};
