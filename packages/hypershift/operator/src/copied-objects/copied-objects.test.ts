import { generateKeyPairSync } from 'node:crypto';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { aCluster, aControlPlane } from '../testing/clusters.ts';
import {
  backCopies,
  backCopyOf,
  configurationReferences,
  copies,
  copyOf,
  referencedBy,
  signingKeySecret,
  unwantedCopies,
} from './index.ts';

const secret = (name: string, data: { [key: string]: string }, metadata: object = {}): corev1.Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, ...metadata },
  data,
  type: 'Opaque',
});
const named = (name: string) => ({ name });

describe('copies', () => {
  it('When only a pull secret is given, it should be renamed and typed', () => {
    expect(copies(aCluster()).map(({ name, target, type, critical }) => [name, target, type, critical])).toEqual([
      ['my-pull-secret', 'pull-secret', 'kubernetes.io/dockerconfigjson', true],
    ]);
    expect(unwantedCopies(aCluster())).toEqual([
      { kind: 'Secret', name: 'ssh-key' },
      { kind: 'ConfigMap', name: 'user-ca-bundle' },
    ]);
  });

  it('When everything is given, it should copy each under its name', () => {
    const cluster = aCluster({
      sshKey: named('ssh'),
      auditWebhook: named('audit'),
      additionalTrustBundle: named('ca'),
      secretEncryption: { type: 'aescbc', aescbc: { activeKey: named('new'), backupKey: named('old') } },
      etcd: { managementType: 'Unmanaged', unmanaged: { endpoint: 'https://e', tls: { clientSecret: named('etcd') } } },
      configuration: { proxy: { trustedCA: named('proxy-ca') } },
    });
    expect(copies(cluster).map(({ kind, name, target }) => `${kind} ${name} -> ${target}`)).toEqual([
      'Secret my-pull-secret -> pull-secret',
      'Secret new -> new',
      'Secret old -> old',
      'Secret audit -> audit',
      'Secret ssh -> ssh-key',
      'Secret etcd -> etcd',
      'ConfigMap ca -> user-ca-bundle',
      'ConfigMap proxy-ca -> proxy-ca',
    ]);
    expect(unwantedCopies(cluster)).toEqual([]);
  });

  it('When a copy is made, it should hold the needed keys alone', () => {
    const [pull] = copies(aCluster());
    const copy = copyOf(
      aCluster(),
      pull!,
      secret('my-pull-secret', { '.dockerconfigjson': 'x', other: 'y' }, { labels: { a: 'b' } }),
    );
    expect(copy).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 'pull-secret',
        namespace: 'clusters-demo',
        annotations: { 'hypershift.openshift.io/cluster': 'clusters/demo' },
      },
      data: { '.dockerconfigjson': 'x' },
      type: 'kubernetes.io/dockerconfigjson',
    });
  });

  it('When configuration is copied, it should keep labels, annotations and type', () => {
    const cluster = aCluster({
      configuration: { apiServer: { servingCerts: { namedCertificates: [{ servingCertificate: named('tls') }] } } },
    });
    const copy = copyOf(cluster, copies(cluster)[1]!, {
      ...secret('tls', { 'tls.crt': 'c' }, { labels: { a: 'b' }, annotations: { c: 'd' } }),
      type: 'kubernetes.io/tls',
    });
    expect(copy).toMatchObject({
      metadata: { labels: { a: 'b' }, annotations: { c: 'd' } },
      type: 'kubernetes.io/tls',
      data: { 'tls.crt': 'c' },
    });
  });

  it('When a source is missing or lacks a key, it should name object, field and key, and no value', () => {
    const [pull] = copies(aCluster());
    expect(() => copyOf(aCluster(), pull!, undefined)).toThrow(
      'Secret my-pull-secret named by spec.pullSecret does not exist',
    );
    expect(() => copyOf(aCluster(), pull!, secret('x', { other: 'geheim' }))).toThrow(
      'Secret my-pull-secret named by spec.pullSecret must have key .dockerconfigjson',
    );
  });
});

describe('configurationReferences', () => {
  it('When everything is referenced, it should find each once', () => {
    const configuration = {
      apiServer: {
        clientCA: named('client-ca'),
        servingCerts: {
          namedCertificates: [{ servingCertificate: named('tls') }, { servingCertificate: named('tls') }],
        },
      },
      authentication: {
        type: 'OIDC',
        oauthMetadata: named('meta'),
        webhookTokenAuthenticator: { kubeConfig: named('hook') },
        oidcProviders: [
          { issuer: { issuerCertificateAuthority: named('oidc-ca') }, oidcClients: [{ clientSecret: named('oidc') }] },
        ],
      },
      image: { additionalTrustedCA: named('registry-ca') },
      oauth: {
        identityProviders: [
          { type: 'GitHub', name: 'g', github: { clientSecret: named('github'), ca: named('github-ca') } },
          { type: 'LDAP', name: 'l', ldap: { bindPassword: named('ldap') } },
          { type: 'HTPasswd', name: 'h', htpasswd: { fileData: named('htpasswd') } },
        ],
        templates: { login: named('login') },
      },
      proxy: { trustedCA: named('proxy-ca') },
      scheduler: { policy: named('policy') },
    };
    const found = configurationReferences(aCluster({ configuration }));
    expect(
      found
        .filter(({ kind }) => kind === 'Secret')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['github', 'hook', 'htpasswd', 'ldap', 'login', 'oidc', 'tls']);
    expect(
      found
        .filter(({ kind }) => kind === 'ConfigMap')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['client-ca', 'github-ca', 'meta', 'oidc-ca', 'policy', 'proxy-ca', 'registry-ca']);
    expect(found.find(({ name }) => name === 'github')?.field).toBe(
      'spec.configuration.oauth.identityProviders[0].github.clientSecret',
    );
  });
  it('When nothing is configured, it should find nothing', () => {
    expect(configurationReferences(aCluster())).toEqual([]);
  });
});

describe('signingKeySecret', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const cluster = aCluster({ serviceAccountSigningKey: named('sa') });
  it('When a key is given, it should add its public half and keep a former one', () => {
    const made = signingKeySecret(
      cluster,
      secret('sa', { key: base64(privateKey), 'old-key.pub': base64('FORMER\n') }),
    );
    expect(made?.metadata.name).toBe('sa-signing-key');
    expect(Buffer.from(made?.data?.['service-account.pub'] ?? '', 'base64').toString()).toBe(`${publicKey}FORMER\n`);
    expect(made?.data?.['service-account.key']).toBe(base64(privateKey));
  });
  it('When none is given, it should make nothing', () => {
    expect(signingKeySecret(aCluster(), undefined)).toBeUndefined();
    expect(() => signingKeySecret(cluster, secret('sa', {}))).toThrow('must have key key');
  });
});

describe('back copies', () => {
  const hcp = aControlPlane({
    kubeConfig: { name: 'admin-kubeconfig', key: 'kubeconfig' },
    kubeadminPassword: { name: 'kubeadmin-password' },
  });
  it('When the control plane has access to offer, it should be copied beside the cluster', () => {
    const [kubeconfig] = backCopies(aCluster(), hcp);
    const cluster = aCluster({}, { labels: { team: 'blue' } });
    expect(backCopyOf(cluster, kubeconfig!, secret('admin-kubeconfig', { kubeconfig: 'k', other: 'o' }))).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 'demo-admin-kubeconfig',
        namespace: 'clusters',
        labels: { team: 'blue' },
        annotations: { 'hypershift.openshift.io/cluster': 'clusters/demo' },
        ownerReferences: [
          { apiVersion: 'hypershift.openshift.io/v1beta1', kind: 'HostedCluster', name: 'demo', uid: 'uid-1' },
        ],
      },
      type: 'Opaque',
      data: { kubeconfig: 'k' },
    });
  });
  it('When OAuth is explicit or no name is given, it should take the copies away', () => {
    const wanted = (spec: object) =>
      backCopies(aCluster(spec), hcp).map(({ target, source }) => `${target}:${source ? 'yes' : 'no'}`);
    expect(wanted({})).toEqual([
      'demo-admin-kubeconfig:yes',
      'demo-custom-admin-kubeconfig:no',
      'demo-kubeadmin-password:yes',
    ]);
    expect(wanted({ configuration: { oauth: {} } })).toContain('demo-kubeadmin-password:no');
  });
  it('When objects are marked, it should use the known keys', () => {
    expect(referencedBy(aCluster())).toBe('referenced-resource.hypershift.openshift.io/demo');
  });
});
