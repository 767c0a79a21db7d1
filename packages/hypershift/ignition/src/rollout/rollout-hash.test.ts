import { describe, expect, it } from 'vitest';
import { hashConfigMapData, hashRaw, hashSimple } from '../hash/hash-simple.ts';
import type { ConfigSource } from '../machine-config/documents.ts';
import { rolloutTarget } from './formats.ts';
import { globalConfig } from './global-config.ts';
import { rolloutFormats } from './pool-intent.ts';
import { rawConfig } from './raw-config.ts';
import { configHash, rolloutHash } from './rollout-hash.ts';

const base = {
  rawConfig: 'test config',
  releaseVersion: '4.7.0',
  pullSecretName: 'pull-secret',
  additionalTrustBundleName: 'trust-bundle',
  globalConfig: 'global config',
  rhelStream: '',
};

describe('hashSimple', () => {
  it('When given text and bytes of the same content, it should give the two values that Go gives', () => {
    expect(hashSimple('abc')).toBe('1a47e90b');
    expect(hashSimple(Buffer.from('abc'))).toBe('88bfcb9e');
    expect(hashRaw('abc')).toBe('1a47e90b');
  });

  it('When hashing the JSON of an AWS template, it should hash the decimal list of its bytes', () => {
    const template =
      '{"template":{"metadata":{},"spec":{"instanceMetadataOptions":{"httpEndpoint":"enabled","httpPutResponseHopLimit":2,"httpTokens":"optional","instanceMetadataTags":"disabled"},"ami":{"id":"an-ami"},"instanceType":"","iamInstanceProfile":"infra-id-worker-profile","subnet":{},"rootVolume":{"size":16},"uncompressedUserData":true,"cloudInit":{"insecureSkipSecretsManager":true,"secureSecretsBackend":"secrets-manager"}}}}';
    expect(hashSimple(Buffer.from(template))).toBe('28d5cf5a');
    expect(hashSimple(template)).toBe('89a04299');
  });

  it('When the keys of a ConfigMap come in another order, it should not change the hash', () => {
    expect(hashConfigMapData({ a: '1', b: '2' })).toBe(hashConfigMapData({ b: '2', a: '1' }));
    expect(hashConfigMapData({ a: '1', b: '2' })).not.toBe(hashConfigMapData({ a: '2', b: '1' }));
    expect(hashConfigMapData({})).toBe('');
  });
});

describe('rolloutHash', () => {
  it.each([
    [{}, 'bb196408'],
    [{ releaseVersion: '4.8.0' }, '27bb7699'],
    [{ rawConfig: 'different' }, '25f99ac5'],
    [{ pullSecretName: 'different' }, 'd0d6f6e9'],
    [{ additionalTrustBundleName: 'different' }, '42d42744'],
    [{ globalConfig: 'different' }, 'e916ddfe'],
    [{ rhelStream: 'rhel-10' }, '2dbbd41b'],
  ])('When the inputs differ by %j, it should be the upstream value %s', (change, expected) => {
    expect(rolloutHash({ ...base, ...change })).toBe(expected);
  });

  it.each([
    [{}, '85234650'],
    [{ releaseVersion: '4.8.0' }, '85234650'],
    [{ globalConfig: 'different' }, '85234650'],
    [{ rawConfig: 'different' }, '5ea671c5'],
    [{ pullSecretName: 'different' }, 'f6e82eb7'],
    [{ additionalTrustBundleName: 'different' }, '935c3492'],
    [{ rhelStream: 'rhel-10' }, '671fe083'],
  ])('When the inputs differ by %j, the hash without version should be %s', (change, expected) => {
    expect(configHash({ ...base, ...change })).toBe(expected);
  });
});

const machineConfig = `
apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata:
  labels:
    machineconfiguration.openshift.io/role: master
  name: config-1
spec:
  config:
    ignition:
      version: 3.2.0
    storage:
      files:
      - contents:
        source: "[Service]\\nType=oneshot\\nExecStart=/usr/bin/echo Hello World\\n\\n[Install]\\nWantedBy=multi-user.target"
        filesystem: root
        mode: 493
        path: /usr/local/bin/file1.sh
`;
const runc = `apiVersion: machineconfiguration.openshift.io/v1
kind: ContainerRuntimeConfig
metadata:
  name: set-runc
spec:
  containerRuntimeConfig:
    defaultRuntime: runc
`;
const core: ConfigSource[] = ['core-1', 'core-2', 'core-3'].map((name) => ({ name }));

function hashes(given: {
  version: string;
  user?: string;
  stream?: string;
  trustBundle?: string;
  pullSecret?: string;
}): [string, string] {
  const user = given.user === undefined ? [] : [{ name: 'user', data: { config: given.user } }];
  const intent = {
    releaseVersion: given.version,
    pullSecretName: given.pullSecret ?? 'pull-secret',
    ...(given.trustBundle ? { additionalTrustBundleName: given.trustBundle } : {}),
    ...(given.stream ? { osImageStream: given.stream } : {}),
    configuration: { image: {}, proxy: {} },
    networks: {},
    hasImageContentSources: false,
    core,
    user,
  };
  const target = rolloutTarget(rolloutFormats, intent, []);
  return [target.hash, target.configHash];
}

describe('the whole generator', () => {
  it.each([
    [{ version: '4.18.0' }, '83935368', '0db5756d'],
    [{ version: '4.18.0', stream: 'rhel-9' }, '83935368', '0db5756d'],
    [{ version: '4.18.0', user: machineConfig }, 'af67f27c', 'fef02451'],
    [
      { version: '4.18.0', user: machineConfig, pullSecret: 'pull-secret-2', trustBundle: 'additional-trust-bundle' },
      '632801f8',
      '71375893',
    ],
    [{ version: '5.0.0' }, 'bc411add', '0db5756d'],
    [{ version: '5.0.0', stream: 'rhel-10' }, 'bc411add', '0db5756d'],
    [{ version: '5.0.0', stream: 'rhel-9' }, '3d08ada8', '3a158178'],
    [{ version: '5.0.0', user: runc }, 'ff007b24', '6d5a7b66'],
    [{ version: '5.0.0', user: runc, stream: 'rhel-9' }, 'ff007b24', '6d5a7b66'],
  ])('When the pool is %j, it should have the upstream hashes %s and %s', (pool, hash, withoutVersion) => {
    expect(hashes(pool)).toEqual([hash, withoutVersion]);
  });

  it('When a core ConfigMap is missing, it should say how many there should be', () => {
    expect(() =>
      rawConfig({ apiServerProxy: '', core: core.slice(1), user: [], hasImageContentSources: false }),
    ).toThrow('expected 3 core ignition configs, found 2');
  });
});

describe('globalConfig', () => {
  const empty = `{"metadata":{"name":"cluster","creationTimestamp":null},"spec":{"trustedCA":{"name":""}},"status":{}}
{"metadata":{"name":"cluster","creationTimestamp":null},"spec":{"additionalTrustedCA":{"name":""},"registrySources":{}},"status":{}}
`;
  const tls = {
    apiServer: { tlsSecurityProfile: { type: 'Custom', custom: { ciphers: ['A'], minTLSVersion: 'VersionTLS13' } } },
  };
  it.each([
    ['nothing is set', {}, '4.18.0', empty],
    ['the release knows TLS profiles', {}, '4.23.0', `${empty}null\n`],
    ['it is a pre-release that knows them', {}, '4.23.0-0.ci-2026-08-11-110857', `${empty}null\n`],
    [
      'a TLS profile is set',
      tls,
      '4.23.0',
      `${empty}{"type":"Custom","custom":{"ciphers":["A"],"minTLSVersion":"VersionTLS13"}}\n`,
    ],
    [
      'proxy and image have values',
      {
        proxy: { httpProxy: 'proxy', noProxy: 'noProxy' },
        image: { externalRegistryHostnames: ['external registry'] },
      },
      '4.18.0',
      `{"metadata":{"name":"cluster","creationTimestamp":null},"spec":{"httpProxy":"proxy","noProxy":"noProxy","trustedCA":{"name":""}},"status":{"httpProxy":"proxy","noProxy":".cluster.local,.local,.svc,127.0.0.1,localhost,noProxy"}}
{"metadata":{"name":"cluster","creationTimestamp":null},"spec":{"externalRegistryHostnames":["external registry"],"additionalTrustedCA":{"name":""},"registrySources":{}},"status":{}}
`,
    ],
  ])('When %s, it should be the text that upstream hashes', (_, configuration, version, expected) => {
    expect(globalConfig(configuration, {}, version)).toBe(expected);
  });

  it('When an AWS cluster has a proxy, it should leave its networks and metadata service out of it', () => {
    const networks = { platform: 'AWS', awsRegion: 'eu-west-1', clusterNetwork: [{ cidr: '10.132.0.0/14' }] };
    const text = globalConfig({ proxy: { httpsProxy: 'http://p:3128' } }, networks, '4.20.0');
    expect(text).toContain('.eu-west-1.compute.internal,.local,.svc,10.132.0.0/14,127.0.0.1,169.254.169.254,localhost');
  });
});
