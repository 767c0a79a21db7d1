import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubeconfigFor, ManualClock } from '@hypershift-ts/kube-apimachinery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CredentialReader } from '../http/credentials.ts';
import { inClusterConfig } from './in-cluster.ts';
import { loadClusterConfig, clusterConfigFrom } from './resolve.ts';
import { loadKubeconfig, parseKubeconfig } from './load.ts';
import { writeKubeconfig } from './write.ts';

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const pem = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n';
const data = Buffer.from(pem).toString('base64');

function resolved(cluster: object, user: object) {
  const text = JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: 'https://example.org:6443', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', namespace: 'shop' } }],
    'current-context': 'x',
  });
  return clusterConfigFrom(parseKubeconfig(text, 'test', '/etc/kube'));
}

describe('clusterConfigFrom', () => {
  it('When files and inline data are named, it should take inline data first and files relative to the kubeconfig', () => {
    expect(
      resolved({ 'certificate-authority': 'ca.crt' }, { 'client-certificate': '/abs/c.crt', 'client-key-data': data }),
    ).toEqual({
      server: 'https://example.org:6443',
      certificateAuthority: { file: '/etc/kube/ca.crt' },
      clientCertificate: { certificate: { file: '/abs/c.crt' }, key: { pem } },
      namespace: 'shop',
    });
  });

  it.each<[string, object, object, string]>([
    ['a proxy', { 'proxy-url': 'http://p' }, {}, 'proxy-url, which is not supported'],
    ['no server', { server: '' }, {}, 'has no server'],
    ['a server that is no URL', { server: 'example.org' }, {}, 'must be an https:// or http:// URL'],
    [
      'a CA and no verification',
      { 'certificate-authority-data': data, 'insecure-skip-tls-verify': true },
      {},
      'keep one',
    ],
    ['a certificate without a key', {}, { 'client-certificate-data': data }, 'certificate without its key'],
    ['data that is not PEM', { 'certificate-authority-data': 'aGFsbG8=' }, {}, 'not base64 of a PEM'],
    ['a removed auth provider', {}, { 'auth-provider': { name: 'gcp' } }, 'use an exec plugin'],
    [
      'an old exec version',
      {},
      { exec: { apiVersion: 'client.authentication.k8s.io/v1alpha1', command: 'x' } },
      'exec.apiVersion',
    ],
    [
      'an interactive plugin',
      {},
      { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'x', interactiveMode: 'Always' } },
      'terminal',
    ],
    ['groups without a user', {}, { 'as-groups': ['a'] }, 'no user (as)'],
  ])('When there is %s, it should say what to do', (_name, cluster, user, message) => {
    expect(() => resolved(cluster, user)).toThrow(message);
  });

  it('When names lead nowhere, it should say which', () => {
    expect(() => clusterConfigFrom({})).toThrow('no current-context');
    expect(() => clusterConfigFrom({ contexts: [{ name: 'a', context: {} }] }, { context: 'b' })).toThrow(
      'no context "b"; it has a',
    );
    expect(() => clusterConfigFrom({ contexts: [{ name: 'a', context: { cluster: 'q' } }] }, { context: 'a' })).toThrow(
      'cluster "q"',
    );
  });
});

describe('loadKubeconfig', () => {
  it('When KUBECONFIG lists several files, it should let the first one win and skip missing ones', async () => {
    const first = join(directory, 'first');
    const second = join(directory, 'sub', 'second');
    await mkdir(join(directory, 'sub'));
    await writeFile(first, 'clusters: [{name: c, cluster: {server: https://one}}]');
    await writeFile(
      second,
      'clusters: [{name: c, cluster: {server: https://two}}, {name: d, cluster: {server: https://d, certificate-authority: ca}}]\ncurrent-context: z',
    );
    const merged = await loadKubeconfig({ env: { KUBECONFIG: `${first}:${join(directory, 'missing')}:${second}` } });
    expect(merged.clusters).toEqual([
      { name: 'c', cluster: { server: 'https://one' } },
      { name: 'd', cluster: { server: 'https://d', 'certificate-authority': join(directory, 'sub', 'ca') } },
    ]);
    expect(merged['current-context']).toBe('z');
  });

  it.each([
    ['not: [yaml', 'is not YAML'],
    ['- a', 'expected a mapping'],
    ['kind: Pod', 'kind is "Pod"'],
    ['clusters: 5', 'clusters must be a list'],
    ['users: [{user: {}}]', 'users[0] must have a name'],
  ])('When the text is %j, it should say what is wrong', (text, message) => {
    expect(() => parseKubeconfig(text, 'file', '/')).toThrow(message);
  });

  it('When a file is named that is not there, it should say so', async () => {
    await expect(loadKubeconfig({ file: join(directory, 'nope') })).rejects.toThrow('cannot read the kubeconfig');
  });
});

describe('writeKubeconfig', () => {
  it('When written, it should be readable by its owner only and read back the same', async () => {
    const file = join(directory, 'new', 'config');
    const config = kubeconfigFor({
      server: 'https://127.0.0.1:1',
      certificateAuthority: pem,
      credentials: { token: 't' },
    });
    await writeKubeconfig(file, config);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await loadKubeconfig({ file })).toEqual(config);
    expect(await loadClusterConfig({ file })).toMatchObject({ token: 't', certificateAuthority: { pem } });
  });
});

describe('CredentialReader', () => {
  it('When the token file changes, it should send the new token after a minute', async () => {
    const tokenFile = join(directory, 'token');
    await writeFile(tokenFile, 'one\n');
    const clock = new ManualClock();
    const reader = new CredentialReader({ server: 'https://x', tokenFile, token: 'ignored' }, clock);
    expect((await reader.get()).headers).toEqual({ authorization: 'Bearer one' });
    await writeFile(tokenFile, 'two');
    expect((await reader.get()).headers).toEqual({ authorization: 'Bearer one' });
    clock.advance(60_000);
    expect((await reader.get()).headers).toEqual({ authorization: 'Bearer two' });
    await rm(tokenFile);
    clock.advance(60_000);
    expect((await reader.get()).headers).toEqual({ authorization: 'Bearer two' });
  });

  it('When certificates rotate, it should ask for new connections, and only then', async () => {
    const [certificate, key] = [join(directory, 'tls.crt'), join(directory, 'tls.key')];
    await Promise.all([writeFile(certificate, 'c1'), writeFile(key, 'k1')]);
    const clock = new ManualClock();
    const config = {
      server: 'https://x',
      clientCertificate: { certificate: { file: certificate }, key: { file: key } },
    };
    const reader = new CredentialReader(config, clock);
    const { tlsVersion } = await reader.get();
    clock.advance(61_000);
    expect((await reader.get()).tlsVersion).toBe(tlsVersion);
    await Promise.all([writeFile(certificate, 'c2'), writeFile(key, 'k2')]);
    clock.advance(61_000);
    expect(await reader.get()).toMatchObject({ tlsVersion: tlsVersion + 1, certificate: 'c2', key: 'k2' });
  });

  it('When a plugin gives credentials, it should run it again when they expire or are refused', async () => {
    const count = join(directory, 'count');
    const plugin = join(directory, 'plugin.sh');
    const clock = new ManualClock(Date.UTC(2026, 0, 1));
    await writeFile(
      plugin,
      `#!/bin/sh\necho x >> ${count}\necho '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"'$PREFIX$(wc -l < ${count} | tr -d ' ')'","expirationTimestamp":"2026-01-01T01:00:00Z"}}'\n`,
    );
    await chmod(plugin, 0o755);
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: plugin,
      env: [{ name: 'PREFIX', value: 'tok-' }],
    };
    const reader = new CredentialReader({ server: 'https://x', exec }, clock);
    const token = async () => (await reader.get()).headers['authorization'];
    expect(await token()).toBe('Bearer tok-1');
    clock.advance(10 * 60_000);
    expect(await token()).toBe('Bearer tok-1');
    clock.advance(50 * 60_000);
    expect(await token()).toBe('Bearer tok-2');
    expect(reader.refused()).toBe(true);
    expect(await token()).toBe('Bearer tok-3');
    const missing = new CredentialReader(
      { server: 'https://x', exec: { ...exec, command: 'no-such-plugin', installHint: 'get it' } },
      clock,
    );
    await expect(missing.get()).rejects.toThrow('it was not found\nget it');
  });
});

describe('inClusterConfig', () => {
  it('When the service account is mounted, it should use its files', async () => {
    await writeFile(join(directory, 'token'), 't');
    await writeFile(join(directory, 'namespace'), 'here');
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    expect(await inClusterConfig({ env, directory })).toEqual({
      server: 'https://[fd00::1]:443',
      certificateAuthority: { file: `${directory}/ca.crt` },
      tokenFile: `${directory}/token`,
      namespace: 'here',
    });
    await expect(inClusterConfig({ env: {} })).rejects.toThrow('not running in a cluster');
    expect(await readFile(join(directory, 'token'), 'utf8')).toBe('t');
  });
});
