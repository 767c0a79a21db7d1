import { present } from '../json-fields.ts';
import type { NodeBuilder, PlatformBuilder, PlatformFlagValues } from '../platform-builder.ts';
import type { HostedClusterSpec, NodePoolPlatform } from '../request.ts';
import { base64, clusterSecret } from '../secrets.ts';
import { ingressServices, namedServices } from '../services.ts';
import { flagsNamed } from './flags-named.ts';
import { issuerKeyName } from './issuer-key.ts';

type Settings = NonNullable<HostedClusterSpec['platform']['gcp']>;

const nodes: NodeBuilder = {
  flags: flagsNamed('GCP', ['machine-type', 'zone', 'subnet', 'boot-image']),
  upgradeType: 'Replace',
  build(flags, { cluster }) {
    const settings = cluster?.spec.platform.gcp;
    const region = flags.text('region') ?? settings?.region;
    const endpointSubnet =
      flags.text('private-service-connect-subnet') ?? settings?.networkConfig.privateServiceConnectSubnet.name;
    const gcp = {
      machineType: flags.text('machine-type') ?? 'n2-standard-4',
      zone: flags.text('zone') ?? `${region}-a`,
      subnet: flags.text('subnet') ?? endpointSubnet ?? '',
      ...present({ image: flags.text('boot-image') }),
    };
    return { type: 'GCP', gcp: gcp as NonNullable<NodePoolPlatform['gcp']> };
  },
};

function settingsOf(flags: PlatformFlagValues): Settings {
  const text = (flag: string) => flags.text(flag) ?? '';
  const account = (role: string) => text(`${role}-service-account`);
  return {
    project: text('project'),
    region: text('region'),
    endpointAccess: text('endpoint-access') as 'Private',
    networkConfig: {
      network: { name: text('network') },
      privateServiceConnectSubnet: { name: text('private-service-connect-subnet') },
    },
    workloadIdentity: {
      projectNumber: text('workload-identity-project-number'),
      poolID: text('workload-identity-pool-id'),
      providerID: text('workload-identity-provider-id'),
      serviceAccountsEmails: {
        nodePool: account('node-pool'),
        controlPlane: account('control-plane'),
        cloudController: account('cloud-controller'),
        storage: account('storage'),
        imageRegistry: account('image-registry'),
        network: account('network'),
      },
    },
  };
}

/** GCP: Google Compute Engine, with workload identities. */
export const gcp: PlatformBuilder = {
  type: 'GCP',
  command: 'gcp',
  summary: 'A cluster on Google Cloud',
  examples: ['hypershift create cluster gcp --name demo --project my-project --region us-central1 ... --render'],
  nodes,
  simulated: ({ name }) => {
    const account = (role: string) => `${role}@simulated-project.iam.gserviceaccount.com`;
    return {
      flags: {
        project: 'simulated-project',
        region: 'us-central1',
        network: `${name}-network`,
        'private-service-connect-subnet': `${name}-subnet`,
        'workload-identity-project-number': '123456789012',
        'workload-identity-pool-id': 'simulated-pool',
        'workload-identity-provider-id': 'simulated-provider',
        'node-pool-service-account': account('nodepool-mgmt'),
        'control-plane-service-account': account('ctrlplane-op'),
        'cloud-controller-service-account': account('cloud-controller'),
        'storage-service-account': account('gcp-pd-csi'),
        'image-registry-service-account': account('image-registry'),
        'network-service-account': account('cloud-network'),
      },
    };
  },
  build(flags, request) {
    const domain = request.externalDnsDomain;
    const services = ingressServices({ apiServerRoute: domain !== undefined });
    const key = flags.file('service-account-signing-key-path');
    const issuer = flags.text('oidc-issuer-url');
    return {
      spec: {
        platform: { type: 'GCP', gcp: settingsOf(flags) },
        ...(issuer ? { issuerURL: issuer } : {}),
        ...(key ? { serviceAccountSigningKey: { name: issuerKeyName(request) } } : {}),
        // The others are reached through Private Service Connect and need no public name.
        services: domain
          ? namedServices(services, { cluster: request.name, domain, services: ['APIServer', 'OAuthServer'] })
          : services,
      },
      objects: key ? [clusterSecret(request, issuerKeyName(request), { key: base64(key) })] : [],
      nodePools: [{ platform: nodes.build(flags, request) }],
    };
  },
};
