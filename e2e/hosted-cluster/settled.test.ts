import { healthyHostedClusterConditions, hostedControlPlanes, nodePools } from '@hypershift-ts/hypershift-api';
import { appsv1, corev1, findCondition, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlPlaneNamespace, eventually, namespace, Product } from './harness.ts';
import {
  type Allowed,
  heartbeats,
  hostedAudit,
  hostedHeartbeats,
  podLifecycle,
  unexpected,
  type Write,
  writesIn,
} from './writes.ts';

let product: Product;
const name = 'demo';
const controlPlane = controlPlaneNamespace(name);

beforeAll(async () => {
  product = await Product.start();
  await product.create(name, { nodePoolReplicas: 2 });
  await eventually(async () => {
    const cluster = await product.cluster(name);
    for (const [type, status] of healthyHostedClusterConditions(cluster))
      expect(findCondition(cluster.status?.conditions, type)).toMatchObject({ status });
  });
  await writesOf(() => product.deploymentsRolledOut(name));
}, 300_000);
afterAll(() => product?.stop());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What was written in the management cluster and, by everybody, in the hosted one. */
interface Written {
  readonly management: readonly Write[];
  readonly hosted: readonly Write[];
}

/** Does something, waits until nothing but heartbeats has been written for a while, and answers all writes. */
async function writesOf(work: () => Promise<unknown>, quietMs = 2500): Promise<Written> {
  const before = (await hostedAudit(product.folder)).length;
  product.requests.length = 0;
  await work();
  const written = async (): Promise<Written> => ({
    management: writesIn(product.requests),
    hosted: writesIn((await hostedAudit(product.folder)).slice(before)),
  });
  for (let last = -1; ; ) {
    const now = await written();
    const count = unexpected(now.management, heartbeats).length + unexpected(now.hosted, hostedHeartbeats).length;
    if (count === last) return now;
    last = count;
    await pause(quietMs);
  }
}

const touchedAt = (value: string) => ({ metadata: { annotations: { 'example.com/touched': value } } });

async function touch<T extends KubeObject>(type: ResourceType<T>, inNamespace: string, value: string): Promise<void> {
  const { items } = await product.client.list(type, { namespace: inNamespace });
  expect(items).not.toEqual([]);
  for (const { metadata } of items)
    await product.client.patch(
      type,
      { namespace: inNamespace, name: metadata.name ?? '' },
      { type: 'merge', body: touchedAt(value) },
    );
}

/** Deletes the pods of Deployments and waits for others in their place. */
async function restart(inNamespace: string, ...deployments: readonly string[]): Promise<void> {
  const isOf = ({ metadata }: corev1.Pod) => deployments.includes(metadata.name?.replace(/-[^-]+-[^-]+$/, '') ?? '');
  const pods = async () => (await product.client.list(corev1.pods, { namespace: inNamespace })).items.filter(isOf);
  const old = (await pods()).map(({ metadata }) => metadata.name ?? '');
  expect(old).toHaveLength(deployments.length);
  await Promise.all(old.map((pod) => product.client.delete(corev1.pods, { namespace: inNamespace, name: pod })));
  await eventually(async () => {
    expect((await pods()).filter(({ metadata }) => old.includes(metadata.name ?? ''))).toEqual([]);
    for (const one of deployments) {
      const { status } = await product.client.get(appsv1.deployments, { namespace: inNamespace, name: one });
      expect([one, status?.readyReplicas, status?.unavailableReplicas ?? 0]).toEqual([one, 1, 0]);
    }
  });
}

const byUs: Allowed = [/^somebody$/, 'patch delete', /./];

describe('a settled cluster', { timeout: 120_000 }, () => {
  it('When nothing happens, nothing but heartbeats should be written, neither here nor in the hosted cluster', async () => {
    const { management, hosted } = await writesOf(() => pause(3000));
    expect(unexpected(management, heartbeats)).toEqual([]);
    expect(unexpected(hosted, hostedHeartbeats)).toEqual([]);
  });

  it('When every operator looks again, it should find nothing to write', async () => {
    const { management, hosted } = await writesOf(async () => {
      await product.patch(name, touchedAt('once'));
      await touch(hostedControlPlanes, controlPlane, 'once');
      await touch(nodePools, namespace, 'once');
      await touch(capiv1beta1.clusters, controlPlane, 'once');
      await touch(capiv1beta1.machines, controlPlane, 'once');
    });
    expect(unexpected(management, [...heartbeats, byUs])).toEqual([]);
    expect(unexpected(hosted, hostedHeartbeats)).toEqual([]);
  });

  it('When the HyperShift operator is restarted, it should find nothing to write', async () => {
    const { management } = await writesOf(() => restart('hypershift', 'operator'));
    expect(unexpected(management, [...heartbeats, ...podLifecycle, byUs])).toEqual([]);
    expect(management.some(({ client, resource }) => client === 'hypershift-operator' && resource === 'leases')).toBe(
      true,
    );
  });

  it('When the operators of the control plane are restarted, they should write only that they were away', async () => {
    const operators = [
      'control-plane-operator',
      'control-plane-pki-operator',
      'hosted-cluster-config-operator',
      'cluster-api',
      'capi-provider',
      'cluster-version-operator',
      'machine-approver',
      'ignition-server',
    ];
    const { management, hosted } = await writesOf(() => restart(controlPlane, ...operators));
    const reports: readonly Allowed[] = [
      [/^(hypershift|control-plane)-operator$/, 'update patch', /^controlplanecomponents\/status$/],
      [/^control-plane-operator$/, 'update patch', /^hostedcontrolplanes\/status$/],
      [/^hypershift-operator$/, 'update patch', /^hostedclusters\/status$/],
    ];
    expect(unexpected(management, [...heartbeats, ...podLifecycle, byUs, ...reports])).toEqual([]);
    const reported = management
      .filter(({ resource }) => resource === 'controlplanecomponents/status')
      .map(({ object }) => object.split('/')[1]);
    // The proxy is not restarted, but waits for the server behind it.
    const concerned = new Set([...operators, 'ignition-server-proxy']);
    expect(reported.filter((component) => !concerned.has(component ?? ''))).toEqual([]);
    expect(unexpected(hosted, hostedHeartbeats)).toEqual([]);
  });
});
