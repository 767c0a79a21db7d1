import { configurationHash } from '@hypershift-ts/hypershift-ignition';
import { decodeYaml } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { testControlPlane } from '../../testing/context.ts';
import { machineConfigFiles } from './machine-config-server.ts';

const configuration = { proxy: { httpsProxy: 'http://proxy.example.com:3128' } };
const files = machineConfigFiles({
  hcp: testControlPlane({ spec: { configuration } }),
  infrastructure: { ready: true, message: '', api: { host: 'api.demo.example.com', port: 6443 } },
});
const file = (name: string) => decodeYaml(files[name] ?? '').value as Record<string, unknown>;

describe('machineConfigFiles', () => {
  it('When a token names a configuration, it should be found by the same hash', () => {
    expect(files['configuration-hash']).toBe(configurationHash(configuration));
  });

  it('When nodes need the networks, it should tell them', () => {
    expect(file('cluster-network-02-config.yaml')['spec']).toMatchObject({
      clusterNetwork: [{ cidr: '10.132.0.0/14', hostPrefix: 23 }],
      serviceNetwork: ['172.31.0.0/16'],
    });
  });

  it('When there is a proxy, it should keep the cluster itself out of it', () => {
    const { status } = file('cluster-proxy-01-config.yaml') as { status: { noProxy: string } };
    expect(status.noProxy.split(',')).toEqual(expect.arrayContaining(['.cluster.local', '172.31.0.0/16']));
  });

  it('When the API server is published, it should name its address and the platform', () => {
    expect(file('cluster-infrastructure-02-config.yaml')['status']).toMatchObject({
      apiServerURL: 'https://api.demo.example.com:6443',
      controlPlaneTopology: 'External',
      infrastructureName: 'demo-x7k2p',
      platform: 'None',
    });
    expect(file('install-config.yaml')['platform']).toEqual({ none: {} });
  });
});
