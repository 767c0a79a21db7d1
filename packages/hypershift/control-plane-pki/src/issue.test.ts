import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clusterConfigFrom, parseKubeconfig } from '@hypershift-ts/kube-client';
import { parseCertificate, parseCertificates, trustPoolFromPem, verifyCertificate } from '@hypershift-ts/kube-pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorityKeys, decoded, type PkiState } from './material.ts';
import {
  authoritiesOf,
  awsLeaves,
  azureLeaves,
  caHashAnnotation,
  kubeconfigsOf,
  leavesOf,
  tlsKeys,
} from './table/index.ts';
import { now, someFacts, stateAfter } from './testing/facts.ts';

const run = promisify(execFile);
const facts = someFacts({
  etcdShards: ['etcd-events'],
  kubeAPIServerDNSName: 'kube.example.com',
  platformLeaves: [...awsLeaves('clusters-demo'), ...azureLeaves('clusters-demo')],
  serviceAccounts: [{ component: 'cluster-network-operator', namespace: 'openshift-network-operator', name: 'cno' }],
});
const authorities = new Map(authoritiesOf(facts).map((spec) => [spec.secret, spec]));
let state: PkiState;
let directory: string;

beforeAll(async () => {
  // OpenSSL judges by the clock of the machine.
  state = await stateAfter(facts, undefined, { at: Date.now() });
  directory = await mkdtemp(join(tmpdir(), 'control-plane-pki-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

function chainOf(secret: string, signer: string, certificateKey: string) {
  const spec = authorities.get(signer);
  return {
    leaf: decoded(state.secrets.get(secret), certificateKey) ?? '',
    ca: (spec && decoded(state.secrets.get(signer), authorityKeys(spec).certificate)) ?? '',
  };
}

const haveOpenssl = await run('openssl', ['version']).then(
  () => true,
  () => false,
);
if (!haveOpenssl) process.stderr.write('openssl is not installed: chains are only checked by our own verifier\n');

describe('the certificates of a control plane', () => {
  it.skipIf(!haveOpenssl)('When OpenSSL verifies every chain for its purpose, it should agree', async () => {
    const verified = await Promise.all(
      leavesOf(facts).map(async (spec) => {
        const { leaf, ca } = chainOf(spec.secret, spec.signer, (spec.keys ?? tlsKeys).certificate);
        const file = join(directory, spec.secret);
        await Promise.all([writeFile(`${file}.crt`, leaf), writeFile(`${file}.ca`, ca)]);
        const purposes = spec.role === 'peer' ? ['sslserver', 'sslclient'] : [`ssl${spec.role}`];
        for (const purpose of purposes) {
          await run('openssl', ['verify', '-x509_strict', '-purpose', purpose, '-CAfile', `${file}.ca`, `${file}.crt`]);
        }
        return spec.secret;
      }),
    );
    expect(verified.length).toBe(leavesOf(facts).length);
  });

  it('When verified by ourselves, it should hold for a year against its CA only', () => {
    for (const spec of leavesOf(facts)) {
      const { leaf, ca } = chainOf(spec.secret, spec.signer, (spec.keys ?? tlsKeys).certificate);
      const usage = spec.role === 'client' ? 'clientAuth' : 'serverAuth';
      const certificate = parseCertificate(leaf);
      const options = { roots: trustPoolFromPem(ca), now: Date.now() + 364 * 24 * 3_600_000, usage } as const;
      expect({ secret: spec.secret, ...verifyCertificate(certificate, options) }).toMatchObject({ ok: true });
      expect(certificate.notAfter - Date.now()).toBeLessThanOrEqual(365 * 24 * 3_600_000);
    }
  });

  it('When a leaf is written, it should carry the hash of its CA and repeat it where consumers expect it', () => {
    const root = state.secrets.get('root-ca');
    const hash = createHash('md5')
      .update(Buffer.from(root?.data?.['ca.crt'] ?? '', 'base64'))
      .update(Buffer.from(root?.data?.['ca.key'] ?? '', 'base64'))
      .digest('hex');
    const server = state.secrets.get('kas-server-crt');
    expect(server?.metadata.annotations?.[caHashAnnotation]).toBe(hash);
    expect(server?.data?.['ca.crt']).toBe(root?.data?.['ca.crt']);
    expect(Object.keys(state.secrets.get('etcd-server-tls')?.data ?? {}).sort()).toEqual(['server.crt', 'server.key']);
  });

  it('When a CA is written, it should be readable as CA and as TLS Secret', () => {
    const { data } = state.secrets.get('cluster-signer-ca') ?? {};
    expect(Object.keys(data ?? {}).sort()).toEqual(['ca.crt', 'ca.key', 'tls.crt', 'tls.key']);
    expect(parseCertificate(decoded(state.secrets.get('cluster-signer-ca'), 'ca.crt') ?? '').subject).toEqual({
      commonName: 'kube-csr-signer',
      organizationalUnits: ['openshift'],
    });
  });

  it('When the signing key is written, it should be PKCS #1 with its public half', () => {
    expect(decoded(state.secrets.get('sa-signing-key'), 'service-account.key')).toMatch(/^-----BEGIN RSA PRIVATE KEY/);
    expect(decoded(state.secrets.get('sa-signing-key'), 'service-account.pub')).toMatch(/^-----BEGIN PUBLIC KEY/);
  });

  it('When a client reads a kubeconfig, it should get server, trust and identity', () => {
    for (const spec of kubeconfigsOf(facts)) {
      const text = decoded(state.secrets.get(spec.secret), spec.key) ?? '';
      const config = clusterConfigFrom(parseKubeconfig(text, spec.secret, '/'));
      expect(config.server).toBe(spec.server);
      expect(config.namespace).toBe('default');
      const pem = config.clientCertificate?.certificate;
      const identity = leavesOf(facts).find(({ secret }) => secret === spec.identity);
      expect(pem && 'pem' in pem && parseCertificate(pem.pem).subject.commonName).toBe(identity?.commonName);
    }
  });

  it('When the API server looks whom to trust, it should find every signer of clients in the bundle', () => {
    const bundle = parseCertificates(state.configMaps.get('client-ca')?.data?.['ca.crt'] ?? '');
    expect(bundle.map(({ subject }) => subject.commonName)).toEqual([
      'kube-control-plane-signer',
      'kube-apiserver-to-kubelet-signer',
      'admin-kubeconfig-signer',
      'hcco-signer',
      'kas-bootstrap-container-signer',
      'kube-csr-signer',
    ]);
  });

  it('When break-glass signers exist, it should trust them too', async () => {
    const signer = state.configMaps.get('konnectivity-ca-bundle')?.data?.['ca.crt'] ?? '';
    const total = { metadata: { name: 'total-client-ca' }, data: { 'ca-bundle.crt': signer } };
    const configMaps = new Map(state.configMaps).set('total-client-ca', total as never);
    const after = await stateAfter(facts, { ...state, configMaps });
    expect(parseCertificates(after.configMaps.get('client-ca')?.data?.['ca.crt'] ?? '')).toHaveLength(7);
  });

  it('When leaves are renewed, it should keep CAs and the signing key byte for byte', async () => {
    const later = await stateAfter(facts, state, { at: now + 720 * 24 * 3_600_000 });
    for (const name of [...authorities.keys(), 'sa-signing-key']) {
      expect(later.secrets.get(name)?.data).toEqual(state.secrets.get(name)?.data);
    }
    expect(later.secrets.get('hcco-client')?.data?.['tls.crt']).not.toBe(
      state.secrets.get('hcco-client')?.data?.['tls.crt'],
    );
  });
});
