import { certificatesv1, corev1, rbacv1 } from '@hypershift-ts/kube-apimachinery';
import { EmbeddedCluster } from '@hypershift-ts/kube-embedded';
import { createRequest, generateKeys } from '@hypershift-ts/kube-pki';
import { capiv1beta1 as capi, clusterApiCrds } from '@hypershift-ts/machines-cluster-api';
import { bootstrapper, runMachineApprover } from '@hypershift-ts/machines-machine-approver';
import { apiextensionsv1 } from '@hypershift-ts/kube-apimachinery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, settle } from './fixture.ts';

const namespace = 'clusters-demo';
const { certificatesigningrequests: csrs } = certificatesv1;
const stopper = new AbortController();
let management: EmbeddedCluster;
let guest: EmbeddedCluster;
let running: Promise<void>;

beforeAll(async () => {
  management = await EmbeddedCluster.start({ controllers: false });
  guest = await EmbeddedCluster.start({ controllers: false });
  for (const crd of clusterApiCrds({ storageVersion: 'v1beta1', served: ['v1beta1'] })) {
    if (crd.spec.names.kind === 'Machine')
      await management.client().create(apiextensionsv1.customresourcedefinitions, crd as never);
  }
  await management.client().create(corev1.namespaces, { metadata: { name: namespace } });
  await guest.client().create(rbacv1.clusterrolebindings, {
    metadata: { name: 'node-bootstrapper' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:node-bootstrapper' },
    subjects: [
      { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: bootstrapper },
      { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:nodes' },
    ],
  });
  running = runMachineApprover({
    managementClient: management.client(),
    hostedClient: guest.client(),
    namespace,
    signal: stopper.signal,
  });
});
afterAll(async () => {
  stopper.abort();
  await running;
  await guest.stop();
  await management.stop();
});

async function ask(name: string, sort: 'client' | 'serving', dnsNames: readonly string[] = []): Promise<void> {
  const keys = await generateKeys('P-256');
  const subject = { commonName: 'system:node:worker-1', organizations: ['system:nodes'] };
  const request = await createRequest({ subject, keys, ...(dnsNames.length > 0 ? { dnsNames } : {}) });
  const client = sort === 'client';
  const user = client
    ? {
        name: bootstrapper,
        groups: [
          'system:serviceaccounts',
          'system:serviceaccounts:openshift-machine-config-operator',
          'system:authenticated',
        ],
      }
    : { name: 'system:node:worker-1', groups: ['system:nodes', 'system:authenticated'] };
  await guest.client(user).create(csrs, {
    metadata: { name },
    spec: {
      request: Buffer.from(request).toString('base64'),
      signerName: client ? 'kubernetes.io/kube-apiserver-client-kubelet' : 'kubernetes.io/kubelet-serving',
      usages: ['digital signature', client ? 'client auth' : 'server auth'],
    },
  });
}
const approval = async (name: string) => (await guest.client().get(csrs, { name })).status?.conditions?.[0];
const tell = (status: capi.MachineStatus) =>
  management
    .client()
    .patch(
      capi.machines,
      { namespace, name: 'pool-abcde' },
      { type: 'merge', body: { status } },
      { subresource: 'status' },
    );

describe('the machine approver', () => {
  it('When a request comes before its machine has a name, it should wait for it and approve then', async () => {
    await management.client().create(capi.machines, {
      metadata: { name: 'pool-abcde', namespace },
      spec: {
        clusterName: 'demo',
        bootstrap: { dataSecretName: 'x' },
        infrastructureRef: { kind: 'TestMachine', name: 'x' },
      },
    });
    await ask('join', 'client');
    await settle(100);
    expect(await approval('join')).toBeUndefined();
    await tell({ addresses: [{ type: 'InternalDNS', address: 'worker-1' }] });
    expect(await eventually(() => approval('join'), 'the approval')).toMatchObject({
      type: 'Approved',
      status: 'True',
      reason: 'NodeCSRApprove',
      message: 'This CSR was approved by the Node CSR Approver (cluster-machine-approver)',
    });
  });

  it('When the node asks for a serving certificate, it should get one for its own names only', async () => {
    await tell({ nodeRef: { apiVersion: 'v1', kind: 'Node', name: 'worker-1' } });
    await ask('foreign', 'serving', ['kubernetes.default.svc']);
    await ask('own', 'serving', ['worker-1']);
    await eventually(() => approval('own'), 'the approval');
    await settle(100);
    expect(await approval('foreign')).toBeUndefined();
  });
});
