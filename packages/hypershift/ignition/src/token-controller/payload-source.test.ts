import { type corev1, type KubeObject, StatusError } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { describe, expect, it } from 'vitest';
import { hashConfigMapData } from '../hash/hash-simple.ts';
import { aTokenSecret, aTokenSecretInputs, namespace } from '../testing/control-plane.ts';
import { aPayloadInputs } from '../testing/payload-inputs.ts';
import { secretData } from '../token/names.ts';
import { ClusterPayloadSource, rawConfigOf } from './payload-source.ts';
import { clusterDnsAddress, ipFamilyOf } from './service-network.ts';

const cloudConfig = { 'cloud.conf': '{"tenantId":"t1"}' };
const controlPlane = (): Record<string, Record<string, string> | undefined> => ({
  'secrets/pull-secret': { '.dockerconfigjson': secretData('{"auths":{}}') },
  'secrets/bootstrap-kubeconfig': { kubeconfig: secretData('kubeconfig') },
  'configmaps/machine-config-server': {
    'configuration-hash': aTokenSecretInputs().configurationHash,
    'signer-ca.crt': 'signer',
    'cluster-network-02-config.yaml': 'spec: { serviceNetwork: [10.96.0.0/16, "fd02::/112"] }',
    'cluster-proxy-01-config.yaml': 'status: { httpsProxy: http://p:1, noProxy: .svc }',
    'cluster-apiserver-config.yaml': 'spec: { tlsSecurityProfile: { type: Modern } }',
    'image-config.yaml': 'spec: { registrySources: { blockedRegistries: [bad.io] } }',
  },
  'configmaps/azure-cloud-config': cloudConfig,
});

/** Only reads, from what is given. */
function clientOf(objects: Readonly<Record<string, Record<string, string> | undefined>>): Client {
  const get = (type: { resource: string; kind: string }, { name }: { name: string }): Promise<KubeObject> => {
    const data = objects[`${type.resource}/${name}`];
    if (data) return Promise.resolve({ apiVersion: 'v1', kind: type.kind, metadata: { name }, data } as KubeObject);
    const message = `${type.resource} "${name}" not found`;
    return Promise.reject(new StatusError(404, 'NotFound', message));
  };
  return { get } as unknown as Client;
}

const source = (objects: ReturnType<typeof controlPlane>, withCloudConfig = false) =>
  new ClusterPayloadSource({
    client: clientOf(objects),
    namespace,
    imagesOf: () => Promise.resolve(aPayloadInputs().images),
    ...(withCloudConfig ? { cloudConfig: { name: 'azure-cloud-config', key: 'cloud.conf' } } : {}),
  });

describe('ClusterPayloadSource', () => {
  it('When the control plane is complete, it should read what nodes depend on', async () => {
    const inputs = await source(controlPlane()).inputsFor(aTokenSecret());
    expect(inputs).toMatchObject({
      rawConfig: aTokenSecretInputs().rawConfig,
      clusterDnsAddress: '10.96.0.10',
      ipFamily: 'DualStack',
      kubeletClientCA: 'signer',
      bootstrapKubeconfig: 'kubeconfig',
      proxy: { httpsProxy: 'http://p:1', noProxy: '.svc' },
      tlsSecurityProfile: { type: 'Modern' },
      image: { registrySources: { blockedRegistries: ['bad.io'] } },
    });
    expect(inputs).not.toHaveProperty('cloudConfig');
  });

  it.each([
    ['secrets/pull-secret', undefined, 'failed to get pull secret: secrets "pull-secret" not found'],
    ['secrets/pull-secret', {}, 'pull secret missing ".dockerconfigjson" key'],
    ['secrets/pull-secret', { '.dockerconfigjson': 'AAAA' }, 'pull secret does not match hash'],
    ['configmaps/user-ca-bundle', { 'ca-bundle.crt': 'PEM' }, 'additionalTrustBundle does not match hash'],
    ['secrets/bootstrap-kubeconfig', {}, 'bootstrap kubeconfig secret missing "kubeconfig" key'],
    [
      'configmaps/machine-config-server',
      { 'configuration-hash': 'x' },
      'machine-config-server configmap is out of date, waiting for update x !=',
    ],
  ])('When %s is %j, it should say what it waits for', async (name, data, message) => {
    await expect(source({ ...controlPlane(), [name]: data }).inputsFor(aTokenSecret())).rejects.toThrow(message);
  });

  it('When the cloud config is not the one that the token was made for, it should wait for it', async () => {
    const matching = aTokenSecret({ cloudConfigHash: hashConfigMapData(cloudConfig) });
    expect(await source(controlPlane(), true).inputsFor(matching)).toMatchObject({ cloudConfig: '{"tenantId":"t1"}' });
    const other = aTokenSecret({ cloudConfigHash: '00000000' });
    await expect(source(controlPlane(), true).inputsFor(other)).rejects.toThrow(
      'hash mismatch (expected 00000000, got',
    );
  });
});

describe('rawConfigOf', () => {
  it('When the config of a token Secret is damaged, it should say so', () => {
    const broken: corev1.Secret = { ...aTokenSecret(), data: { config: secretData('not gzip') } };
    expect(() => rawConfigOf(broken)).toThrow('failed to decode and decompress config');
  });
});

describe('the service network', () => {
  it.each([
    ['172.31.0.0/16', '172.31.0.10'],
    ['10.0.255.250/16', '10.1.0.4'],
    ['fd02::/112', 'fd02::a'],
  ])('When it is %s, DNS should be at %s', (network, address) => {
    expect(clusterDnsAddress(network)).toBe(address);
  });

  it.each([
    [['10.0.0.0/16'], 'IPv4'],
    [['fd02::/112'], 'IPv6'],
    [['10.0.0.0/16', 'fd02::/112'], 'DualStack'],
    [[], 'IPv4'],
  ])('When the networks are %j, the family should be %s', (networks, family) => {
    expect(ipFamilyOf(networks)).toBe(family);
  });
});
