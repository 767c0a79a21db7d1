import { describe, expect, it } from 'vitest';
import { goYaml } from '../go-encoding/go-yaml.ts';
import { hashSimple } from '../hash/hash-simple.ts';
import { decodeDataUrl } from '../spec/data-url.ts';
import { apiServerEndpoints } from './endpoints.ts';
import { type ApiServerProxyInputs, apiServerProxyDocument, apiServerProxyIgnition } from './machine-config.ts';
import { bypassesProxy } from './no-proxy.ts';

const inputs: ApiServerProxyInputs = {
  haproxyImage: 'ha-proxy-image:latest',
  controlPlaneOperatorImage: 'cpo:latest',
  clusterId: 'fakeClusterID',
  platform: 'AWS',
  external: { host: 'cluster.example.com', port: 443 },
  internal: { host: 'cluster.internal.example.com', port: 8443 },
  useProxyProtocol: false,
  serviceNetwork: ' 10.134.0.0/16',
  clusterNetwork: ' 10.128.0.0/14',
};

describe('apiServerProxyIgnition', () => {
  const httpsProxy = 'http://proxy';
  // Hashes of the fixtures of upstream's own test.
  it.each([
    ['no proxy is set', { noProxy: 'localhost,127.0.0.1' }, '22402b92'],
    ['NO_PROXY names the internal address', { httpsProxy, noProxy: 'x,cluster.internal.example.com' }, '22402b92'],
    ['NO_PROXY names the service network', { httpsProxy, noProxy: 'localhost, 10.134.0.0/16,127.0.0.1,' }, '22402b92'],
    ['NO_PROXY names the cluster network', { httpsProxy, noProxy: 'localhost, 10.128.0.0/14' }, '22402b92'],
    ['NO_PROXY speaks of kubernetes', { httpsProxy, noProxy: 'localhost,kubernetes.svc,127.0.0.1,' }, '22402b92'],
    ['NO_PROXY names the domain', { httpsProxy, noProxy: 'localhost,.example.com' }, '22402b92'],
    ['shared ingress is used', { useProxyProtocol: true }, '083bc678'],
    ['the platform is IBM Cloud', { platform: 'IBMCloud' }, '4bf523ae'],
  ])('When %s, it should be the bytes that upstream writes', (_, change, expected) => {
    expect(hashSimple(goYaml(apiServerProxyIgnition({ ...inputs, ...change })))).toBe(expected);
  });

  it('When nodes must use an HTTP proxy, it should run the CONNECT client instead of HAProxy', () => {
    const { storage } = apiServerProxyIgnition({ ...inputs, httpsProxy: 'http://proxy.corp' }) as {
      storage: { files: { path: string; contents: { source: string } }[] };
    };
    const pod = storage.files.find(({ path }) => path.endsWith('kube-apiserver-proxy.yaml'));
    const text = decodeDataUrl(pod?.contents.source ?? '').toString();
    expect(text).toContain('- --proxy-addr=proxy.corp:80\n');
    expect(text).toContain('- --apiserver-addr=cluster.example.com:443\n');
    expect(storage.files.some(({ path }) => path.endsWith('haproxy.cfg'))).toBe(false);
  });

  it('When the proxy has no scheme, it should name the field', () => {
    expect(() => apiServerProxyIgnition({ ...inputs, httpsProxy: 'proxy.corp:3128' })).toThrow(
      'failed to parse .Spec.Configuration.Proxy.HTTPSProxy: url scheme must be specified',
    );
  });

  it('When rendered as a MachineConfig, it should carry the zero values that the hash covers', () => {
    expect(apiServerProxyDocument(inputs)).toMatch(
      /^apiVersion: machineconfiguration[^]*creationTimestamp: null[^]*osImageURL: ""\n$/,
    );
  });
});

describe('bypassesProxy', () => {
  const kas = { host: 'api.test.example.com', port: 6443 };
  const internal = { host: '172.20.0.1', port: 6443 };
  it.each([
    ['', kas, false],
    ['*', kas, true],
    ['example.com', kas, true],
    ['.example.com', kas, true],
    ['*.example.com', kas, true],
    ['.api.test.example.com', kas, false],
    ['xample.com', kas, false],
    [' localhost , .TEST.example.com ', kas, true],
    ['api.test.example.com:6443', kas, true],
    ['api.test.example.com:8080', kas, false],
    ['172.16.0.0/12', internal, true],
    ['192.168.0.0/16', internal, false],
    ['172.20.0.1', internal, true],
    ['172.20.0.1:6443', internal, true],
    ['fd00::/8', { host: 'fd00::1', port: 6443 }, true],
    ['', { host: 'localhost', port: 6443 }, true],
  ])('When NO_PROXY is %j, a connection to %j should bypass the proxy: %s', (noProxy, address, expected) => {
    expect(bypassesProxy(noProxy, address)).toBe(expected);
  });
});

describe('apiServerEndpoints', () => {
  const facts = {
    clusterName: 'example',
    isPrivate: false,
    apiServerByLoadBalancer: true,
    serviceNetwork: [{ cidr: '172.31.0.0/16' }],
  };
  it.each([
    [{ kubeconfigServer: 'https://api.example.com:7443' }, 'api.example.com:7443', '172.20.0.1:6443'],
    [{ kubeconfigServer: 'https://api.example.com' }, 'api.example.com:443', '172.20.0.1:6443'],
    [{ isPrivate: true }, 'api.example.hypershift.local:6443', '172.20.0.1:6443'],
    [{ isPrivate: true, apiServerByLoadBalancer: false }, 'api.example.hypershift.local:443', '172.20.0.1:6443'],
    [{ sharedIngressAddress: '20.1.2.3' }, '20.1.2.3:6443', '172.20.0.1:6443'],
    [{ isPrivate: true, advertiseAddress: '10.0.0.1', port: 443 }, 'api.example.hypershift.local:6443', '10.0.0.1:443'],
    [
      { isPrivate: true, serviceNetwork: [{ cidr: 'fd02::/112' }] },
      'api.example.hypershift.local:6443',
      'fd00::1:6443',
    ],
  ])('When the cluster is %j, nodes should find it at %s and offer it at %s', (change, external, internal) => {
    const found = apiServerEndpoints({ ...facts, ...change });
    expect(`${found.external.host}:${found.external.port}`).toBe(external);
    expect(`${found.internal.host}:${found.internal.port}`).toBe(internal);
  });

  it('When the kubeconfig is not there yet, it should say so', () => {
    expect(() => apiServerEndpoints(facts)).toThrow('waiting on hcluster.Status.KubeConfig to be set');
  });
});
