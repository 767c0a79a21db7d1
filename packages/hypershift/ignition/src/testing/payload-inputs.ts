import { apiServerProxyDocument } from '../api-server-proxy/machine-config.ts';
import { rawConfig } from '../rollout/raw-config.ts';
import type { PayloadInputs } from '../payload/payload-inputs.ts';

const core = {
  fips: `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata: { name: 30-fips, labels: { machineconfiguration.openshift.io/role: worker } }
spec: { fips: false }
`,
  ssh: `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata: { name: 99-worker-ssh, labels: { machineconfiguration.openshift.io/role: worker } }
spec:
  config:
    ignition: { version: 3.2.0 }
    passwd: { users: [{ name: core, sshAuthorizedKeys: [ssh-ed25519 AAAAC3Nza admin@example.com] }] }
`,
};

/** The documents of a pool whose `spec.config` holds `user`. */
export function aRawConfig(...user: readonly string[]): string {
  return rawConfig({
    apiServerProxy: apiServerProxyDocument({
      haproxyImage: 'quay.io/example/haproxy-router@sha256:0001',
      controlPlaneOperatorImage: 'quay.io/example/hypershift@sha256:0002',
      clusterId: '6a3cbf4e-4b0f-4a0c-9c8c-0d5c37d4a0a1',
      platform: 'AWS',
      external: { host: 'api.example.hypershift.local', port: 443 },
      internal: { host: '172.20.0.1', port: 6443 },
      useProxyProtocol: false,
    }),
    core: Object.entries(core).map(([name, config]) => ({ name, data: { config } })),
    user: user.map((config, i) => ({ name: `user-${i}`, data: { config } })),
    hasImageContentSources: false,
  });
}

/** Everything a worker's payload needs, with real-looking values. */
export function aPayloadInputs(change: Partial<PayloadInputs> = {}): PayloadInputs {
  return {
    rawConfig: aRawConfig(),
    images: {
      osImage: 'quay.io/example/rhel-coreos@sha256:0003',
      osExtensionsImage: 'quay.io/example/rhel-coreos-extensions@sha256:0004',
      podImage: 'quay.io/example/pod@sha256:0005',
      machineConfigOperatorImage: 'quay.io/example/machine-config-operator@sha256:0006',
    },
    pullSecret: '{"auths":{"quay.io":{"auth":"dXNlcjpwYXNz"}}}',
    additionalTrustBundle: '',
    bootstrapKubeconfig: 'apiVersion: v1\nkind: Config\n',
    kubeletClientCA: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
    clusterDnsAddress: '172.31.0.10',
    ipFamily: 'IPv4',
    proxy: {},
    ...change,
  };
}
