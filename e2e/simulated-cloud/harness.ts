import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificatesv1, formatTime, rbacv1, systemClock } from '@hypershift-ts/kube-apimachinery';
import type { Egress } from '@hypershift-ts/kube-apiserver';
import { Informer } from '@hypershift-ts/kube-client';
import type { EventRecorder } from '@hypershift-ts/kube-controller';
import { createAuthority, issue, kubeconfigFor } from '@hypershift-ts/kube-pki';
import {
  apiServerProxyDocument,
  IgnitionServer,
  ignitionMetrics,
  rawConfig,
  renderPayload,
  TokenIndex,
  userData,
} from '@hypershift-ts/hypershift-ignition';
import { Registry } from 'prom-client';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';

const bootstrapper = 'system:serviceaccount:openshift-machine-config-operator:node-bootstrapper';

/** A hosted cluster as far as machines notice: an API server with controllers, an ignition server, an approver. */
export interface HostedClusterUnderTest extends TestCluster {
  readonly directory: string;
  /** User data with which a machine joins. */
  readonly userData: string;
  readonly token: string;
  readonly index: TokenIndex;
  readonly payload: string;
  /** Ignition of another release, for upgrades. */
  payloadOf(osVersion: string): string;
  publish(payload: string | undefined): void;
}

export async function startHostedCluster(
  options: { readonly approve?: boolean; readonly egress?: Egress } = {},
): Promise<HostedClusterUnderTest> {
  const apiServer = options.egress ? { apiServer: { egress: options.egress } } : {};
  const test = await startTestCluster({ controllers: true, nodes: [], ...apiServer });
  const { cluster } = test;
  const admin = cluster.client();
  const directory = await mkdtemp(join(tmpdir(), 'cloud-'));
  await admin.create(rbacv1.clusterrolebindings, {
    metadata: { name: 'node-bootstrapper' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:node-bootstrapper' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: bootstrapper }],
  });
  const approver = options.approve === false ? undefined : approveAll(test);
  const bootstrapKubeconfig = JSON.stringify(
    kubeconfigFor({
      server: cluster.server,
      certificateAuthority: cluster.identity.authority.certificatePem,
      credentials: await issue(cluster.identity.authority, {
        role: 'client',
        subject: {
          commonName: bootstrapper,
          organizations: ['system:serviceaccounts:openshift-machine-config-operator', 'system:serviceaccounts'],
        },
        now: Date.now(),
      }),
    }),
  );
  const payloadOf = (version: string) =>
    payload(version, bootstrapKubeconfig, cluster.identity.authority.certificatePem);
  const rootCa = await createAuthority({ subject: { commonName: 'ignition-root-ca' }, now: Date.now() });
  const serving = await issue(rootCa, {
    role: 'server',
    subject: { commonName: 'ignition-server' },
    ipAddresses: ['127.0.0.1'],
    now: Date.now(),
  });
  const index = new TokenIndex();
  const server = new IgnitionServer({
    host: '127.0.0.1',
    port: 0,
    certificate: { cert: serving.certificatePem, key: serving.keyPem },
    index,
    client: admin,
    events: { normal() {}, warning() {} } as unknown as EventRecorder,
    metrics: ignitionMetrics(new Registry(), () => index.size),
  });
  const port = await server.listen();
  const token = '2b8f1b9e-6a0e-4f53-9c53-0f2c3a1de0aa';
  const publish = (json: string | undefined) =>
    index.put([token], {
      secret: 'token-pool-abc',
      namespace: 'clusters-demo',
      uid: 'u',
      nodePool: 'clusters/pool',
      basis: '',
      payload: json === undefined ? undefined : Buffer.from(json),
      reached: true,
      expiresAt: undefined,
    });
  const first = payloadOf('4.20.3');
  publish(first);
  return {
    ...test,
    directory,
    token,
    index,
    payload: first,
    payloadOf,
    publish,
    userData: userData({
      namespace: 'clusters-demo',
      nodePool: { namespace: 'clusters', name: 'pool' },
      hash: 'abc',
      token,
      ignitionEndpoint: `127.0.0.1:${port}`,
      caCertificate: rootCa.certificatePem,
      proxy: {},
    }),
    async stop() {
      await approver?.stop();
      await server.close();
      await test.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const sshKeys = `{ config: { ignition: { version: 3.2.0 }, passwd: { users: [{ name: core, sshAuthorizedKeys: [ssh-ed25519 AAAA] }] } } }`;

const machineConfig = (name: string, spec: string) => `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata: { name: ${name}, labels: { machineconfiguration.openshift.io/role: worker } }
spec: ${spec}
`;

function payload(version: string, bootstrapKubeconfig: string, kubeletClientCA: string): string {
  const image = (name: string) => `registry.hypershift-ts.io/release/${name}:${version}`;
  return renderPayload({
    rawConfig: rawConfig({
      apiServerProxy: apiServerProxyDocument({
        haproxyImage: image('haproxy-router'),
        controlPlaneOperatorImage: image('hypershift'),
        clusterId: '6a3cbf4e-4b0f-4a0c-9c8c-0d5c37d4a0a1',
        platform: 'AWS',
        external: { host: 'api.demo.hypershift.local', port: 443 },
        internal: { host: '172.20.0.1', port: 6443 },
        useProxyProtocol: false,
      }),
      core: [
        { name: 'fips', data: { config: machineConfig('30-fips', '{ fips: false }') } },
        { name: 'ssh', data: { config: machineConfig('99-worker-ssh', sshKeys) } },
      ],
      user: [],
      hasImageContentSources: false,
    }),
    images: {
      osImage: image('rhel-coreos'),
      osExtensionsImage: image('rhel-coreos-extensions'),
      podImage: image('pod'),
      machineConfigOperatorImage: image('machine-config-operator'),
    },
    pullSecret: '{"auths":{}}',
    additionalTrustBundle: '',
    bootstrapKubeconfig,
    kubeletClientCA,
    clusterDnsAddress: '172.31.0.10',
    ipFamily: 'IPv4',
    proxy: {},
  }).json;
}

/** Approves every request, whoever asks: what machine-approver decides is another room's business. */
function approveAll({ cluster }: TestCluster): Informer<certificatesv1.CertificateSigningRequest> {
  const client = cluster.client();
  const type = certificatesv1.certificatesigningrequests;
  const csrs = new Informer({ client, type });
  csrs.addHandler({
    added: (csr) => {
      const now = formatTime(systemClock.now());
      const condition = {
        type: 'Approved',
        status: 'True',
        reason: 'Test',
        lastUpdateTime: now,
        lastTransitionTime: now,
      };
      void client.update(type, { ...csr, status: { conditions: [condition] } }, { subresource: 'approval' });
    },
  });
  csrs.start();
  return csrs;
}
