import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseApiServerFlags } from '@hypershift-ts/kube-apiserver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiServerArguments } from './apiserver-args.ts';
import { flagsFromConfig } from './openshift-config.ts';

const config = {
  kind: 'KubeAPIServerConfig',
  servingInfo: { bindAddress: '0.0.0.0:6443', certFile: '/s/tls.crt', keyFile: '/s/tls.key', clientCA: '/ca/ca.crt' },
  serviceAccountPublicKeyFiles: ['/sa/a.pub', '/sa/b.pub'],
  servicesSubnet: '172.31.0.0/16',
  apiServerArguments: {
    'authorization-mode': ['Scope', 'SystemMasters', 'RBAC', 'Node'],
    'etcd-servers': ['https://etcd-client.ns.svc:2379'],
    'etcd-prefix': ['kubernetes.io'],
    'encryption-provider-config': ['/enc/config.yaml'],
    'event-ttl': ['3h'],
  },
};

describe('apiServerArguments', () => {
  let folder: string;
  const context = (args: string[]) => ({
    command: ['hyperkube'],
    args,
    podIP: '127.128.0.9',
    path: (path: string) => (path === '/config.json' ? join(folder, 'config.json') : `/host${path}`),
  });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kas-config-'));
    await writeFile(join(folder, 'config.json'), JSON.stringify(config));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('When a config file is given, it should become flags with paths and addresses of this machine', async () => {
    const found = await apiServerArguments(context(['kube-apiserver', '--openshift-config=/config.json', '-v2']));
    expect(found.args).toEqual([
      '--secure-port=6443',
      '--tls-cert-file=/host/s/tls.crt',
      '--tls-private-key-file=/host/s/tls.key',
      '--client-ca-file=/host/ca/ca.crt',
      '--service-cluster-ip-range=172.31.0.0/16',
      '--service-account-key-file=/host/sa/a.pub',
      '--service-account-key-file=/host/sa/b.pub',
      '--authorization-mode=RBAC,Node',
      '--encryption-provider-config=/enc/config.yaml',
      '--event-ttl=3h',
      '--bind-address=127.128.0.9',
    ]);
    expect(found.etcdServers).toEqual(['https://etcd-client.ns.svc:2379']);
    expect(found.notices.join('\n')).toMatch(
      /Scope, SystemMasters[\s\S]*encryption-provider-config|encryption-provider-config[\s\S]*Scope/,
    );
    expect(() => parseApiServerFlags(found.args)).not.toThrow();
  });

  it('When the command line says otherwise, it should win over the file', async () => {
    const found = await apiServerArguments(
      context(['kube-apiserver', '--config=/config.json', '--event-ttl=1h', '--bind-address', '127.0.0.1']),
    );
    expect(found.args).toContain('--event-ttl=1h');
    expect(found.args).toContain('--bind-address=127.0.0.1');
  });

  it('When the file has certificates for names, it should follow their files too', () => {
    const namedCertificates = [
      { certFile: '/n/tls.crt', keyFile: '/n/tls.key', names: ['api.example.org', '*.apps.example.org'] },
      { certFile: '/m/tls.crt', keyFile: '/m/tls.key' },
    ];
    const text = JSON.stringify({ ...config, servingInfo: { ...config.servingInfo, namedCertificates } });
    expect(flagsFromConfig(text, '/config.json')).toEqual(
      expect.arrayContaining([
        '--tls-sni-cert-key=/n/tls.crt,/n/tls.key:api.example.org,*.apps.example.org',
        '--tls-sni-cert-key=/m/tls.crt,/m/tls.key',
      ]),
    );
  });

  it.each(['', '[]', '{"kind":"Other"}'])('When the file is %j, it should be refused by name', (text) => {
    expect(() => flagsFromConfig(text, '/etc/config.json')).toThrow('/etc/config.json');
  });
});
