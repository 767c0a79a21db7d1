import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { HostedCluster } from '../hosted-cluster/index.ts';
import { aHostedCluster } from '../testing/builders.ts';
import {
  hostedClusterUpdateWarnings,
  hostedClusterWarnings,
  validateHostedCluster,
  validateHostedClusterUpdate,
  validConfiguration,
} from './index.ts';

const network = (machine?: string, cluster = '10.132.0.0/14', service = '172.31.0.0/16', more: object = {}) => ({
  networking: {
    networkType: 'OVNKubernetes',
    ...(machine ? { machineNetwork: [{ cidr: machine }] } : {}),
    clusterNetwork: [{ cidr: cluster }],
    serviceNetwork: [{ cidr: service }],
    ...more,
  },
});

function services(changes: { readonly [service: string]: object | null }) {
  const all: { [service: string]: object } = {
    APIServer: { type: 'LoadBalancer' },
    OAuthServer: { type: 'Route' },
    Konnectivity: { type: 'Route' },
    Ignition: { type: 'Route' },
  };
  const wanted = Object.entries({ ...all, ...changes }).filter(([, strategy]) => strategy !== null);
  return {
    services: wanted.map(([service, servicePublishingStrategy]) => ({ service, servicePublishingStrategy })),
  };
}

const aws = (endpointAccess: string) => ({ platform: { type: 'AWS', aws: { region: 'us-east-1', endpointAccess } } });
const strategy = (index: number, rest: string) => `spec.services[${index}].servicePublishingStrategy.${rest}`;

const oidc = (provider: object) => ({
  configuration: {
    authentication: {
      type: 'OIDC',
      oidcProviders: [{ issuer: { issuerURL: 'https://login.example.com' }, ...provider }],
    },
  },
});

interface Case {
  readonly when: string;
  readonly spec: object;
  readonly facts?: object;
  readonly fields: readonly string[];
}

const privateKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const cases: readonly Case[] = [
  { when: 'nothing is wrong', spec: {}, fields: [] },
  { when: 'a range is not one', spec: network('999.1.1.1/99'), fields: ['spec.networking.machineNetwork[0].cidr'] },
  {
    when: 'machine and pod ranges overlap',
    spec: network('10.132.5.0/24'),
    fields: ['spec.networking.machineNetwork[0].cidr'],
  },
  {
    when: 'pod and service ranges overlap',
    spec: network(undefined, '172.31.0.0/20'),
    fields: ['spec.networking.serviceNetwork[0].cidr'],
  },
  {
    when: 'families are mixed',
    spec: network(undefined, '10.132.0.0/14', 'fd02::/112'),
    fields: ['spec.networking.serviceNetwork[0].cidr'],
  },
  { when: 'everything is IPv6', spec: network('fd03::/64', 'fd01::/48', 'fd02::/112'), fields: [] },
  {
    when: 'the default advertise address is inside a range',
    spec: network('172.20.0.0/16'),
    fields: ['spec.networking.apiServer.advertiseAddress'],
  },
  {
    when: 'another advertise address avoids that',
    spec: network('172.20.0.0/16', undefined, undefined, { apiServer: { advertiseAddress: '192.0.2.1' } }),
    fields: [],
  },
  {
    when: 'the same ranges are used on IBMCloud',
    spec: { ...network('10.132.0.0/16'), platform: { type: 'IBMCloud' } },
    fields: [],
  },
  {
    when: 'a KubeVirt cluster takes the internal range of OVN',
    spec: { ...network('100.66.1.0/24'), platform: { type: 'KubeVirt' } },
    fields: ['spec.networking.machineNetwork[0].cidr'],
  },
  {
    when: 'the pods of one node do not fit',
    spec: network(undefined, undefined, undefined, { clusterNetwork: [{ cidr: '10.132.0.0/14', hostPrefix: 8 }] }),
    fields: ['spec.networking.clusterNetwork[0].hostPrefix'],
  },
  {
    when: 'a node port is out of range',
    spec: services({ APIServer: { type: 'NodePort', nodePort: { address: '192.0.2.7', port: 80 } } }),
    fields: [strategy(0, 'nodePort.port')],
  },
  {
    when: 'the node port range is moved',
    spec: {
      ...services({ APIServer: { type: 'NodePort', nodePort: { address: '192.0.2.7', port: 80 } } }),
      configuration: { network: { serviceNodePortRange: '1-1024' } },
    },
    fields: [],
  },
  {
    when: 'a node address is a service address',
    spec: services({ Ignition: { type: 'NodePort', nodePort: { address: '172.31.3.4' } } }),
    fields: [strategy(3, 'nodePort.address')],
  },
  {
    when: 'the management cluster has no Routes',
    spec: services({ OAuthServer: { type: 'LoadBalancer' } }),
    facts: { hasRoutes: false },
    fields: [strategy(2, 'type'), strategy(3, 'type')],
  },
  {
    when: 'a needed service is missing',
    spec: services({ Konnectivity: null, OIDC: { type: 'None' } }),
    fields: ['spec.services'],
  },
  {
    when: 'OAuth is not needed',
    spec: { ...services({ OAuthServer: null }), configuration: { authentication: { type: 'None' } } },
    fields: [],
  },
  {
    when: 'two services share a name',
    spec: services({
      OAuthServer: { type: 'Route', route: { hostname: 'a.example.com' } },
      Ignition: { type: 'Route', route: { hostname: 'a.example.com' } },
    }),
    fields: [strategy(3, 'route.hostname')],
  },
  { when: 'AWS has no settings', spec: { platform: { type: 'AWS' } }, fields: ['spec.platform.aws'] },
  {
    when: 'AWS publishes konnectivity otherwise',
    spec: { ...aws('Public'), ...services({ Konnectivity: { type: 'LoadBalancer' } }) },
    fields: [strategy(2, 'type')],
  },
  {
    when: 'AWS routes a public API server without a name',
    spec: { ...aws('Public'), ...services({ APIServer: { type: 'Route' } }) },
    fields: [strategy(0, 'route.hostname')],
  },
  {
    when: 'AWS routes a private API server',
    spec: { ...aws('Private'), ...services({ APIServer: { type: 'Route' } }) },
    fields: [],
  },
  {
    when: 'agents live nowhere',
    spec: { platform: { type: 'Agent', agent: { agentNamespace: 'agents' } } },
    facts: { namespaces: new Set(['default']) },
    fields: ['spec.platform.agent.agentNamespace'],
  },
  { when: 'KMS is not described', spec: { secretEncryption: { type: 'kms' } }, fields: ['spec.secretEncryption.kms'] },
  {
    when: 'the KMS provider is not described',
    spec: { secretEncryption: { type: 'kms', kms: { provider: 'AWS', azure: {} } } },
    fields: ['spec.secretEncryption.kms.aws'],
  },
  {
    when: 'an HSM is wanted too early',
    spec: { secretEncryption: { type: 'kms', kms: { provider: 'Azure', azure: { keyVaultType: 'ManagedHSM' } } } },
    facts: { releaseVersion: '4.21.9' },
    fields: ['spec.secretEncryption.kms.azure.keyVaultType'],
  },
  {
    when: 'an HSM is wanted with 5.0',
    spec: { secretEncryption: { type: 'kms', kms: { provider: 'Azure', azure: { keyVaultType: 'ManagedHSM' } } } },
    facts: { releaseVersion: '5.0.0' },
    fields: [],
  },
  { when: 'a label cannot be one', spec: { labels: { 'a b': 'c' } }, fields: ['spec.labels[a b]'] },
  { when: 'the cluster ID is no UUID', spec: { clusterID: 'x'.repeat(36) }, fields: ['spec.clusterID'] },
  {
    when: 'authentication has no type',
    spec: { configuration: { authentication: {} } },
    fields: ['spec.configuration.authentication.type'],
  },
  {
    when: 'users come from the issuer of service accounts',
    spec: {
      configuration: {
        authentication: { type: 'OIDC', oidcProviders: [{ issuer: { issuerURL: 'https://kubernetes.default.svc' } }] },
      },
    },
    fields: ['spec.configuration.authentication.oidcProviders[0].issuer.issuerURL'],
  },
  {
    when: 'expressions over tokens do not compile',
    spec: oidc({
      claimMappings: {
        username: { expression: 'claims.email +' },
        groups: { expression: 'claims.groups' },
        extra: [{ key: 'example.com/a', valueExpression: 'unknown.a' }],
      },
      claimValidationRules: [{ type: 'CEL', cel: { expression: '"yes"', message: 'no' } }],
      userValidationRules: [
        { expression: "!user.username.startsWith('system:')", message: 'no' },
        { expression: 'user.age > 1', message: 'no' },
      ],
    }),
    fields: [
      'claimMappings.username.expression',
      'claimMappings.extra[0].valueExpression',
      'claimValidationRules[0].cel.expression',
      'userValidationRules[1].expression',
    ].map((field) => `spec.configuration.authentication.oidcProviders[0].${field}`),
  },
  {
    when: 'the signing key is missing',
    spec: { serviceAccountSigningKey: { name: 'sa-key' } },
    facts: { secrets: new Map() },
    fields: ['spec.serviceAccountSigningKey'],
  },
  {
    when: 'the signing key is not a key',
    spec: { serviceAccountSigningKey: { name: 'sa-key' } },
    facts: { secrets: new Map([['sa-key', { key: 'hello' }]]) },
    fields: ['spec.serviceAccountSigningKey'],
  },
  {
    when: 'the signing key is good',
    spec: { serviceAccountSigningKey: { name: 'sa-key' } },
    facts: { secrets: new Map([['sa-key', { key: privateKey }]]) },
    fields: [],
  },
  {
    when: 'a trust bundle lacks its key',
    spec: { additionalTrustBundle: { name: 'ca' } },
    facts: { configMaps: new Map([['ca', { 'ca.crt': '' }]]) },
    fields: ['spec.additionalTrustBundle'],
  },
  {
    when: 'a certificate takes a name of the API server',
    spec: {
      configuration: {
        apiServer: { servingCerts: { namedCertificates: [{ names: ['kubernetes.default.svc', 'api.example.com'] }] } },
      },
    },
    fields: ['spec.configuration.apiServer.servingCerts.namedCertificates[0]'],
  },
  {
    when: 'a foreign etcd has no certificate',
    spec: {
      etcd: {
        managementType: 'Unmanaged',
        unmanaged: { endpoint: 'https://etcd:2379', tls: { clientSecret: { name: '' } } },
      },
    },
    fields: ['spec.etcd.unmanaged.tls.clientSecret.name'],
  },
];

describe('validateHostedCluster', () => {
  it.each(cases)('When $when, it should name $fields', ({ spec, facts = {}, fields }) => {
    expect(validateHostedCluster(aHostedCluster(spec), facts).map(({ field }) => field)).toEqual(fields);
  });

  it('When there is no spec, it should say so', () => {
    const errors = validateHostedCluster({ ...aHostedCluster(), spec: undefined } as unknown as HostedCluster);
    expect(validConfiguration(errors)).toEqual({
      status: 'False',
      reason: 'InvalidConfiguration',
      message: 'spec: Required value',
    });
  });

  it('When Routes are missing, it should use the words of upstream', () => {
    const { message } = validConfiguration(
      validateHostedCluster(aHostedCluster(services({ OAuthServer: null, Ignition: null })), { hasRoutes: false }),
    );
    expect(message).toContain('cluster does not support Routes, but service "Konnectivity" is exposed via a Route');
  });

  it('When nothing is wrong, it should give the good verdict', () => {
    expect(validConfiguration([])).toMatchObject({ status: 'True', message: 'Configuration passes validation' });
  });
});

describe('hostedClusterWarnings', () => {
  it('When settings of another platform are there, it should say that they have no effect', () => {
    const cluster = aHostedCluster({
      platform: { type: 'None', aws: { region: 'x' } },
      pausedUntil: '2030-01-01T00:00:00 or so',
    });
    expect(hostedClusterWarnings(cluster)).toEqual([
      'spec.platform.aws: has no effect on platform None',
      'spec.pausedUntil: neither a time in RFC 3339 format nor a boolean; reconciliation goes on',
    ]);
  });
});

describe('validateHostedClusterUpdate', () => {
  it('When the network type changes, it should forbid it', () => {
    const errors = validateHostedClusterUpdate(
      aHostedCluster(network(undefined, undefined, undefined, { networkType: 'Calico' })),
      aHostedCluster(),
    );
    expect(errors.map(({ field }) => field)).toEqual(['spec.networking.networkType']);
  });

  it('When tags, roles or release change, it should let them', () => {
    const before = aHostedCluster(aws('Public'));
    const after = aHostedCluster({
      platform: {
        type: 'AWS',
        aws: { region: 'us-east-1', endpointAccess: 'Public', resourceTags: [{ key: 'a', value: 'b' }] },
      },
      release: { image: 'quay.io/openshift-release-dev/ocp-release:4.20.2-multi' },
    });
    expect(validateHostedClusterUpdate(after, before)).toEqual([]);
  });

  it('When the endpoint access changes, it should warn only', () => {
    const pair = [aHostedCluster(aws('Private')), aHostedCluster(aws('PublicAndPrivate'))] as const;
    expect(validateHostedClusterUpdate(...pair)).toEqual([]);
    expect(hostedClusterUpdateWarnings(...pair)).toHaveLength(1);
  });
});
