import type { certificatesv1 } from '@hypershift-ts/kube-apimachinery';
import { createRequest, generateKeys, type SubjectAltNames } from '@hypershift-ts/kube-pki';
import type { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { isFlooded } from './flood-guard.ts';
import { bootstrapper, type NodeRequest, nodeRequestOf } from './node-request.ts';
import { clientProblem, servingProblem } from './rules.ts';

type Csr = certificatesv1.CertificateSigningRequest;

const created = '2026-01-01T10:00:00Z';
const bootstrapGroups = [
  'system:serviceaccounts',
  'system:serviceaccounts:openshift-machine-config-operator',
  'system:authenticated',
];
let keys: Awaited<ReturnType<typeof generateKeys>>;
beforeAll(async () => {
  keys = await generateKeys('P-256');
});

function aMachine(
  status: capiv1beta1.MachineStatus = {},
  creationTimestamp = '2026-01-01T09:55:00Z',
): capiv1beta1.Machine {
  const addresses = [
    { type: 'InternalDNS', address: 'Worker-1.ec2.internal.' },
    { type: 'InternalIP', address: '10.0.0.7' },
    { type: 'Hostname', address: 'worker-1' },
  ] as const;
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'Machine',
    metadata: { name: 'pool-abcde', creationTimestamp },
    spec: { clusterName: 'demo', bootstrap: {}, infrastructureRef: {} },
    status: { addresses, ...status },
  };
}

async function aRequest(
  options: SubjectAltNames & {
    readonly name?: string;
    readonly organizations?: readonly string[];
    readonly spec?: Partial<Csr['spec']>;
  } = {},
): Promise<{ readonly csr: Csr; readonly request: NodeRequest }> {
  const { name = 'worker-1.ec2.internal', organizations = ['system:nodes'], spec, ...names } = options;
  const pem = await createRequest({ subject: { commonName: `system:node:${name}`, organizations }, keys, ...names });
  const csr: Csr = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'csr-1', creationTimestamp: created },
    spec: {
      request: Buffer.from(pem).toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      username: bootstrapper,
      groups: bootstrapGroups,
      usages: ['digital signature', 'client auth'],
      ...spec,
    },
  };
  const request = nodeRequestOf(csr);
  if (!request) throw new Error('not a request of a node');
  return { csr, request };
}

const serving = (spec: Partial<Csr['spec']> = {}): Partial<Csr['spec']> => ({
  signerName: 'kubernetes.io/kubelet-serving',
  username: 'system:node:worker-1.ec2.internal',
  groups: ['system:nodes', 'system:authenticated'],
  usages: ['digital signature', 'server auth', 'key encipherment'],
  ...spec,
});

describe('nodeRequestOf', () => {
  it('When somebody else asks, it should not be ours to judge', async () => {
    const { csr } = await aRequest();
    expect(nodeRequestOf({ ...csr, spec: { ...csr.spec, username: 'mallory' } })).toBeUndefined();
    expect(
      nodeRequestOf({ ...csr, spec: { ...csr.spec, signerName: 'kubernetes.io/kube-apiserver-client' } }),
    ).toBeUndefined();
    expect(nodeRequestOf({ ...csr, spec: { ...csr.spec, request: 'bm9uc2Vuc2U=' } })).toBeUndefined();
  });
});

describe('clientProblem', () => {
  const facts = { nodeExists: false, machines: [aMachine()] };

  it('When a machine of that name waits for its node, it should have nothing against it', async () => {
    const { csr, request } = await aRequest();
    expect(clientProblem(csr, request, facts)).toBeUndefined();
  });

  it.each([
    ['the node exists', { ...facts, nodeExists: true }, 'exists already'],
    ['no machine has that name', { ...facts, machines: [aMachine({ addresses: [] })] }, 'no Machine has'],
    [
      'the machine is a node already',
      { ...facts, machines: [aMachine({ nodeRef: { name: 'other' } })] },
      'is Node other already',
    ],
    ['the machine is too old', { ...facts, machines: [aMachine({}, '2026-01-01T07:59:00Z')] }, '2 hours'],
    [
      'the machine is younger than the request',
      { ...facts, machines: [aMachine({}, '2026-01-01T10:00:11Z')] },
      '2 hours',
    ],
  ])('When %s, it should say so', async (_name, given, problem) => {
    const { csr, request } = await aRequest();
    expect(clientProblem(csr, request, given)).toContain(problem);
  });

  it.each([
    ['carries alternative names', { dnsNames: ['kubernetes.default'] }, 'alternative names'],
    ['asks for another group', { organizations: ['system:nodes', 'system:masters'] }, 'organization'],
    ['asks for other usages', { spec: { usages: ['digital signature', 'client auth', 'server auth'] } }, 'usages'],
    ['comes from another group', { spec: { groups: [...bootstrapGroups, 'system:masters'] } }, 'groups'],
  ])('When the request %s, it should say so', async (_name, options, problem) => {
    const { csr, request } = await aRequest(options);
    expect(clientProblem(csr, request, facts)).toContain(problem);
  });
});

describe('servingProblem', () => {
  const machines = [aMachine({ nodeRef: { name: 'worker-1.ec2.internal' } })];
  const names = { dnsNames: ['worker-1.ec2.internal', 'worker-1'], ipAddresses: ['10.0.0.7'] };

  it("When all names are the machine's, it should have nothing against it", async () => {
    const { csr, request } = await aRequest({ ...names, spec: serving() });
    expect(servingProblem(csr, request, { machines, current: undefined })).toBeUndefined();
  });

  it('When a name or an address is not, it should name it', async () => {
    const foreignName = await aRequest({ ...names, dnsNames: ['api.example.com'], spec: serving() });
    expect(servingProblem(foreignName.csr, foreignName.request, { machines, current: undefined })).toContain(
      'api.example.com',
    );
    const foreignIp = await aRequest({ ...names, ipAddresses: ['10.0.0.8'], spec: serving() });
    expect(servingProblem(foreignIp.csr, foreignIp.request, { machines, current: undefined })).toContain('10.0.0.8');
  });

  it('When the node asks for somebody else, it should say so', async () => {
    const { csr, request } = await aRequest({ ...names, name: 'worker-2', spec: serving() });
    expect(servingProblem(csr, request, { machines, current: undefined })).toContain("requestor's own");
  });

  it('When no machine is that node, it should say so', async () => {
    const { csr, request } = await aRequest({ ...names, spec: serving() });
    expect(servingProblem(csr, request, { machines: [], current: undefined })).toContain('no Machine has become Node');
  });
});

describe('isFlooded', () => {
  const now = Date.parse(created);
  const requests = (count: number, atMs: number) => Array.from({ length: count }, () => atMs);

  it('When there are a hundred more requests than machines, it should still believe them', () => {
    expect(isFlooded(requests(103, now - 1000), 3, 2, now)).toBe(false);
    expect(isFlooded(requests(104, now - 1000), 3, 2, now)).toBe(true);
    expect(isFlooded(requests(104, now - 1000), 3, 4, now)).toBe(false);
  });

  it('When they are old, it should not count them', () => {
    expect(isFlooded(requests(500, now - 61 * 60_000), 3, 2, now)).toBe(false);
  });
});
