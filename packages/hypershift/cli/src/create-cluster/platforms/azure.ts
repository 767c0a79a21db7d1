import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { UserError } from '../../cli-error.ts';
import { parseFields, present, requiredText, textField } from '../json-fields.ts';
import type { JsonFields, PlatformBuilder, PlatformFlagValues } from '../platform-builder.ts';
import type { ClusterRequest, HostedClusterSpec } from '../request.ts';
import { base64, clusterSecret } from '../secrets.ts';
import { ingressServices, namedServices } from '../services.ts';
import { azureEncryption, objectEncoding } from './azure-encryption.ts';
import { azureNodePlatform, azureNodes } from './azure-nodes.ts';
import { simulatedAzure } from './azure-simulated.ts';
import { issuerKeyName } from './issuer-key.ts';

type Settings = NonNullable<HostedClusterSpec['platform']['azure']>;

const controlPlaneIdentities = [
  'cloudProvider',
  'nodePoolManagement',
  'controlPlaneOperator',
  'imageRegistry',
  'ingress',
  'network',
  'disk',
  'file',
];

/** Identities come with the infrastructure, or in files of their own. */
function identities(flags: PlatformFlagValues, infra: JsonFields, field: string, flag: string): JsonFields | undefined {
  const text = flags.file(flag);
  const value = infra[field] ?? (text === undefined ? undefined : parseFields(text, flag));
  return isJsonObject(value) ? value : undefined;
}

function checkIdentityFiles(flags: PlatformFlagValues): void {
  const given = (flag: string) => flags.text(flag) !== undefined;
  if (given('workload-identities-file') && (given('managed-identities-file') || given('data-plane-identities-file')))
    throw new UserError(
      '--workload-identities-file excludes --managed-identities-file and --data-plane-identities-file',
      'Give one kind of identities: the first for your own clusters, the others for ARO.',
    );
  if (given('managed-identities-file') !== given('data-plane-identities-file'))
    throw new UserError(
      '--managed-identities-file and --data-plane-identities-file belong together',
      'Give both, or none.',
    );
}

function authentication(flags: PlatformFlagValues, infra: JsonFields): Settings['azureAuthenticationConfig'] {
  const workload = identities(flags, infra, 'workloadIdentities', 'workload-identities-file');
  if (workload)
    return {
      azureAuthenticationConfigType: 'WorkloadIdentities',
      workloadIdentities: workload,
    } as unknown as Settings['azureAuthenticationConfig'];
  const managed = identities(flags, infra, 'controlPlaneMIs', 'managed-identities-file');
  if (!managed)
    throw new UserError(
      'no identities for the cluster are given',
      'Name them with --workload-identities-file, or --managed-identities-file and --data-plane-identities-file.',
    );
  const controlPlane = isJsonObject(managed['controlPlane']) ? managed['controlPlane'] : managed;
  const encoded = controlPlaneIdentities.map((name) => [
    name,
    { ...(controlPlane[name] as object | undefined), objectEncoding },
  ]);
  return {
    azureAuthenticationConfigType: 'ManagedIdentities',
    managedIdentities: {
      controlPlane: { ...controlPlane, ...Object.fromEntries(encoded) },
      dataPlane: identities(flags, infra, 'dataPlaneIdentities', 'data-plane-identities-file') ?? {},
    },
  } as unknown as Settings['azureAuthenticationConfig'];
}

/** Who reaches the API server. */
function topology(flags: PlatformFlagValues, usesWorkloadIdentities: boolean): Partial<Settings> {
  const access = flags.text('endpoint-access') ?? 'Public';
  // Stated for clusters of one's own, whose operators cannot know otherwise.
  if (access === 'Public') return usesWorkloadIdentities ? { topology: 'Public' } : {};
  const subscriptions = flags.list('endpoint-access-private-additional-allowed-subscriptions');
  return {
    topology: access as 'Private',
    private: {
      type: 'PrivateLink',
      privateLink: {
        ...present({ natSubnetID: flags.text('endpoint-access-private-nat-subnet-id') }),
        ...(subscriptions.length > 0 ? { additionalAllowedSubscriptions: [...subscriptions] } : {}),
      },
    },
  };
}

function services(flags: PlatformFlagValues, request: ClusterRequest): HostedClusterSpec['services'] {
  const domain = request.externalDnsDomain;
  const access = flags.text('endpoint-access') ?? 'Public';
  const balanced = flags.text('oauth-publishing-strategy') === 'LoadBalancer';
  const published = ingressServices({ apiServerRoute: domain !== undefined || access === 'Private' }).map((mapping) =>
    mapping.service === 'OAuthServer' && balanced
      ? { ...mapping, servicePublishingStrategy: { type: 'LoadBalancer' as const } }
      : mapping,
  );
  if (!domain) return published;
  const everywhere = ['APIServer', 'OAuthServer'];
  const named = access === 'Public' ? [...everywhere, 'Konnectivity', 'Ignition'] : everywhere;
  return namedServices(published, { cluster: request.name, domain, services: named });
}

/** A zone for an external name above the cluster would hide the names of its applications. */
function checkExternalDomain({ externalDnsDomain, name, baseDomain }: ClusterRequest): void {
  if (!externalDnsDomain || !baseDomain) return;
  const plain = (domain: string) => domain.toLowerCase().replace(/\.$/, '');
  const cluster = plain(`${name}.${baseDomain}`);
  const external = plain(externalDnsDomain);
  if (cluster === external || cluster.endsWith(`.${external}`))
    throw new UserError(
      `--external-dns-domain ${externalDnsDomain} contains the domain of the cluster, ${cluster}`,
      'Choose a domain beside it: a private zone for it would hide the names of applications.',
    );
}

/** Azure: virtual machines in a network that exists already. */
export const azure: PlatformBuilder = {
  type: 'Azure',
  command: 'azure',
  summary: 'A cluster on Microsoft Azure',
  examples: [
    'hypershift create cluster azure --name demo --azure-creds azure.json --infra-json infra.json --workload-identities-file identities.json --pull-secret pull-secret.json',
    'hypershift create cluster azure --name demo --node-pool-replicas 2 --wait   # embedded: the cloud is simulated',
  ],
  nodes: azureNodes,
  simulated: simulatedAzure,
  build(flags, request, { infra }) {
    checkIdentityFiles(flags);
    checkExternalDomain(request);
    const credentialsText = flags.file('azure-creds');
    if (!infra || credentialsText === undefined)
      throw new UserError(
        'Azure infrastructure is not made by this command',
        'Describe what exists with --infra-json, and give --azure-creds.',
      );
    const credentials = parseFields(credentialsText, 'azure-creds');
    const field = (name: string) => requiredText(infra, name, 'infra-json');
    const subscriptionID = requiredText(credentials, 'subscriptionId', 'azure-creds');
    const tenantID = requiredText(credentials, 'tenantId', 'azure-creds');
    const config = authentication(flags, infra);
    const key = flags.file('sa-token-issuer-private-key-path');
    const zones = flags.list('availability-zones');
    const place = { arch: request.arch, subnet: field('subnetID'), bootImage: textField(infra, 'bootImageID') };
    return {
      spec: {
        platform: {
          type: 'Azure',
          azure: {
            subscriptionID,
            tenantID,
            location: field('region'),
            resourceGroup: field('resourceGroupName'),
            vnetID: field('vnetID'),
            subnetID: place.subnet,
            securityGroupID: field('securityGroupID'),
            azureAuthenticationConfig: config,
            ...topology(flags, config.azureAuthenticationConfigType === 'WorkloadIdentities'),
          },
        },
        infraID: field('infraID'),
        ...present({ issuerURL: flags.text('oidc-issuer-url') }),
        ...(key ? { serviceAccountSigningKey: { name: issuerKeyName(request) } } : {}),
        dns: {
          baseDomain: field('baseDomain'),
          ...present({
            publicZoneID: textField(infra, 'publicZoneID'),
            privateZoneID: textField(infra, 'privateZoneID'),
          }),
        },
        ...azureEncryption(flags, infra),
        services: services(flags, request),
      },
      objects: [
        // The control plane learns the tenant from here.
        clusterSecret(request, `${request.name}-cloud-credentials`, {
          AZURE_SUBSCRIPTION_ID: base64(subscriptionID),
          AZURE_TENANT_ID: base64(tenantID),
        }),
        ...(key ? [clusterSecret(request, issuerKeyName(request), { key: base64(key) })] : []),
      ],
      nodePools:
        zones.length > 0
          ? zones.map((zone) => ({ suffix: zone, platform: azureNodePlatform(flags, { ...place, zone }) }))
          : [{ platform: azureNodePlatform(flags, place) }],
    };
  },
};
