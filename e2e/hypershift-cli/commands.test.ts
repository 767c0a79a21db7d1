import { type HostedCluster, hostedClusters, managementCrds, nodePools } from '@hypershift-ts/hypershift-api';
import { apiextensionsv1, corev1, isNotFound } from '@hypershift-ts/kube-apimachinery';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connectionTo } from '../../packages/hypershift/cli/src/cluster-access/index.ts';
import { checkCluster } from '../../packages/hypershift/cli/src/create-cluster/check-cluster.ts';
import { createCluster, platformBuilders } from '../../packages/hypershift/cli/src/create-cluster/index.ts';
import { kubeconfigText } from '../../packages/hypershift/cli/src/create-kubeconfig/index.ts';
import { clusterFacts } from '../../packages/hypershift/cli/src/describe/facts.ts';
import { clusterText } from '../../packages/hypershift/cli/src/describe/cluster-text.ts';
import { valuesOf } from '../../packages/hypershift/cli/src/create-cluster/platform-flags.ts';
import { newNodePool } from '../../packages/hypershift/cli/src/create-nodepool/node-pool.ts';
import { dumpFiles } from '../../packages/hypershift/cli/src/dump/dump.ts';
import { destroyCluster } from '../../packages/hypershift/cli/src/destroy-cluster/destroy.ts';
import { destroyNodePool } from '../../packages/hypershift/cli/src/destroy-nodepool/destroy.ts';
import { causeText, waitForCluster } from '../../packages/hypershift/cli/src/progress/index.ts';
import { scaleNodePool } from '../../packages/hypershift/cli/src/scale/scale.ts';
import { statusFacts } from '../../packages/hypershift/cli/src/status/facts.ts';
import { statusReport } from '../../packages/hypershift/cli/src/status/report.ts';
import { terminalOf } from '../../packages/hypershift/cli/src/terminal/index.ts';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';

let test: TestCluster;
beforeAll(async () => {
  test = await startTestCluster();
  // Platforms that are still previews exist in this feature set only.
  for (const crd of managementCrds('TechPreviewNoUpgrade'))
    await test.client.create(apiextensionsv1.customresourcedefinitions, crd as never);
  await vi.waitFor(() => test.client.list(hostedClusters), { timeout: 20_000 });
}, 60_000);
afterAll(() => test?.stop());

const namespace = 'clusters';
const said: string[] = [];
const terminal = terminalOf({ write: () => true }, { write: (text) => said.push(text) });

/** Writes what an operator would write. */
async function report(name: string, type: string, status: string, message: string, more: object = {}): Promise<void> {
  const condition = { type, status, reason: 'Told', message, lastTransitionTime: '2026-01-01T00:00:00Z' };
  await test.client.patch(
    hostedClusters,
    { namespace, name },
    { type: 'merge', body: { status: { ...more, conditions: [condition] } } },
    { subresource: 'status' },
  );
}

function create(name: string, platform = 'none', flags: object = {}) {
  const builder = platformBuilders.find(({ command }) => command === platform)!;
  return createCluster({
    platform: builder,
    client: test.client,
    isEmbedded: true,
    flags: { name, externalApiServerAddress: '127.0.0.1', ...flags },
  });
}

describe('create cluster', () => {
  it.each(platformBuilders.filter(({ command }) => !['agent'].includes(command)).map(({ command }) => command))(
    'When %s is created with nothing but a name, the API server should accept every object',
    async (platform) => {
      const { cluster } = await create(`on-${platform}`, platform, { nodePoolReplicas: 1 });
      const live = await test.client.get(hostedClusters, { namespace, name: `on-${platform}` });
      expect(live.spec.platform.type).toBe(cluster.spec.platform.type);
      expect(live.metadata.labels?.['hypershift.openshift.io/auto-created-for-infra']).toBe(cluster.spec.infraID);
    },
  );

  it('When the name is taken, it should change nothing and say how to look at it', async () => {
    await create('twice', 'none', { infraId: 'first' });
    await expect(create('twice', 'none', { infraId: 'second' })).rejects.toMatchObject({
      message: 'HostedCluster clusters/twice already exists',
      fix: expect.stringContaining('hypershift describe cluster twice') as string,
    });
    expect((await test.client.get(hostedClusters, { namespace, name: 'twice' })).spec.infraID).toBe('first');
  });

  it('When the API server refuses the cluster, it should name the object and the field', async () => {
    await expect(create('refused', 'none', { infraId: 'Not_Valid' })).rejects.toThrow(
      /HostedCluster clusters\/refused was refused: .*spec\.infraID/,
    );
    const secrets = await test.client.list(corev1.secrets, { namespace });
    expect(secrets.items.filter(({ metadata }) => metadata.name?.startsWith('refused-'))).toEqual([]);
  });
});

describe('what create cluster refuses before it makes anything', () => {
  it('When the release is not embedded, it should name those that are', async () => {
    const releaseImage = 'registry.hypershift-ts.io/release:4.20.99';
    await expect(checkCluster(test.client, { releaseImage })).rejects.toMatchObject({
      message: expect.stringContaining('--release-image registry.hypershift-ts.io/release:4.20.99') as string,
      fix: expect.stringContaining('4.20.8') as string,
    });
    await expect(checkCluster(test.client, { releaseImage: 'quay.io/any:4.20.99' })).resolves.toBeUndefined();
  });

  it('When the infraID is taken, it should name whose it is', async () => {
    await create('owner', 'none', { infraId: 'taken' });
    await expect(checkCluster(test.client, { infraId: 'taken' })).rejects.toThrow(
      '--infra-id taken is that of HostedCluster clusters/owner already',
    );
  });
});

describe('waiting', () => {
  it('When conditions change, it should tell each cause once and end when the cluster is available', async () => {
    await create('awaited');
    const told: string[] = [];
    const done = waitForCluster({
      client: test.client,
      namespace,
      name: 'awaited',
      goal: 'available',
      onProgress: (cause) => told.push(causeText(cause)),
    });
    await vi.waitFor(() => expect(told).toHaveLength(1), { timeout: 10_000 });
    await report('awaited', 'EtcdAvailable', 'False', 'Waiting for etcd to reach quorum');
    await vi.waitFor(() => expect(told.at(-1)).toContain('Waiting for etcd to reach quorum'), { timeout: 10_000 });
    await report('awaited', 'Available', 'True', '');
    await done;
    expect(told[0]).toContain('no operator has looked at it yet');
    expect(told).toHaveLength(2);
  });

  it('When time is over, it should fail with the cause and an exit code of its own', async () => {
    await create('late');
    await report('late', 'ValidReleaseImage', 'False', 'no such image');
    const wait = waitForCluster({ client: test.client, namespace, name: 'late', goal: 'available', timeoutMs: 300 });
    await expect(wait).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining('no such image') as string,
    });
  });
});

describe('create kubeconfig', () => {
  it('When clusters have one, it should give one, or all of them with a context each', async () => {
    await create('kube');
    await expect(kubeconfigText(test.client, { namespace, name: 'kube' })).rejects.toThrow('has no kubeconfig yet');
    const kubeconfig = Buffer.from(test.cluster.adminKubeconfig()).toString('base64');
    await test.client.create(corev1.secrets, {
      metadata: { namespace, name: 'kube-admin-kubeconfig' },
      data: { kubeconfig },
    });
    await report('kube', 'Available', 'True', '', { kubeconfig: { name: 'kube-admin-kubeconfig' } });
    expect(await kubeconfigText(test.client, { namespace, name: 'kube' })).toContain(test.cluster.server);
    const skipped: string[] = [];
    const all = await kubeconfigText(test.client, { namespace, note: (text) => skipped.push(text) });
    expect(all).toContain('current-context: clusters-kube');
    expect(skipped.join('\n')).toContain('HostedCluster clusters/on-none');
  });

  it('When there is no such cluster, it should say which ones there are', async () => {
    await expect(kubeconfigText(test.client, { namespace, name: 'nobody' })).rejects.toMatchObject({
      message: 'HostedCluster clusters/nobody does not exist',
      fix: expect.stringContaining('clusters/on-none') as string,
    });
  });
});

describe('destroy cluster', () => {
  const operatorFinalizer = 'hypershift.openshift.io/finalizer';
  const key = (name: string) => ({ namespace, name });
  const finalizers = (name: string, list: readonly string[]) =>
    test.client.patch(hostedClusters, key(name), { type: 'merge', body: { metadata: { finalizers: list } } });
  const secretsOf = async (infraID: string) =>
    (
      await test.client.list(corev1.secrets, {
        namespace,
        labelSelector: `hypershift.openshift.io/auto-created-for-infra=${infraID}`,
      })
    ).items;

  it('When the operator takes its time, it should name the blocker, then remove what it made and let go', async () => {
    await create('gone', 'none', { infraId: 'gone-1' });
    await finalizers('gone', [operatorFinalizer]);
    const told: string[] = [];
    const destroyed = destroyCluster({
      client: test.client,
      ...key('gone'),
      graceMs: 20_000,
      onProgress: (cause) => told.push(cause.message),
    });
    await vi.waitFor(() => expect(told[0]).toContain(operatorFinalizer), { timeout: 10_000 });
    const live: HostedCluster = await test.client.get(hostedClusters, key('gone'));
    expect(live.metadata.finalizers).toContain('openshift.io/destroy-cluster');
    expect(live.metadata.annotations?.['hypershift.openshift.io/cleanup-cloud-resources']).toBe('true');
    await report('gone', 'HostedClusterDeleting', 'True', 'step 2 of 5: waiting for NodePool clusters/gone');
    await vi.waitFor(() => expect(told.at(-1)).toContain('step 2 of 5'), { timeout: 10_000 });
    await finalizers('gone', ['openshift.io/destroy-cluster']);
    await destroyed;
    await expect(test.client.get(hostedClusters, key('gone'))).rejects.toSatisfy(isNotFound);
    expect(await secretsOf('gone-1')).toEqual([]);
  });

  it('When it is given up, it should leave nothing of its own that holds the cluster, and go on when run again', async () => {
    await create('stuck', 'none', { infraId: 'stuck-1' });
    await finalizers('stuck', [operatorFinalizer]);
    const once = destroyCluster({ client: test.client, ...key('stuck'), graceMs: 300 });
    await expect(once).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining(operatorFinalizer) as string,
    });
    expect((await test.client.get(hostedClusters, key('stuck'))).metadata.finalizers).toEqual([operatorFinalizer]);
    const again = destroyCluster({ client: test.client, ...key('stuck'), graceMs: 20_000 });
    await finalizers('stuck', []);
    await again;
    expect(await secretsOf('stuck-1')).toEqual([]);
  });

  it('When another cluster has the same infraID, its Secrets should stay', async () => {
    await create('right', 'none', { infraId: 'shared' });
    await create('wrong', 'none', { infraId: 'shared' });
    await destroyCluster({ client: test.client, namespace, name: 'wrong', graceMs: 20_000 });
    const { items } = await test.client.list(corev1.secrets, { namespace });
    const names = items.map(({ metadata }) => metadata.name ?? '').filter((name) => /^(right|wrong)-/.test(name));
    expect(new Set(names)).toEqual(new Set(['right-etcd-encryption-key', 'right-pull-secret']));
  });

  it('When there is no such cluster, it should say so', async () => {
    await expect(destroyCluster({ client: test.client, ...key('nobody'), graceMs: 1 })).rejects.toThrow(
      'does not exist',
    );
  });
});

describe('node pools', () => {
  it('When a pool is scaled, it should follow until the nodes are there', async () => {
    await create('pool', 'none', { nodePoolReplicas: 1 });
    const scaled = scaleNodePool(test.client, { namespace, name: 'pool', replicas: 2, wait: true }, terminal);
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: 'AsExpected',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    await vi.waitFor(
      async () => expect((await test.client.get(nodePools, { namespace, name: 'pool' })).spec.replicas).toBe(2),
      { timeout: 10_000 },
    );
    await test.client.patch(
      nodePools,
      { namespace, name: 'pool' },
      { type: 'merge', body: { status: { replicas: 2, conditions: [ready] } } },
      { subresource: 'status' },
    );
    await scaled;
    expect(said.join('')).toContain('scaled from 1 to 2');
    await expect(scaleNodePool(test.client, { namespace, name: 'nobody', replicas: 1 }, terminal)).rejects.toThrow(
      'NodePool clusters/nobody does not exist',
    );
  });

  it('When a pool is destroyed, it should be gone', async () => {
    await destroyNodePool(test.client, { namespace, name: 'pool', wait: true, gracePeriod: 10_000 }, terminal);
    await expect(test.client.get(nodePools, { namespace, name: 'pool' })).rejects.toSatisfy(isNotFound);
  });
});

describe('looking', () => {
  it('When there is little to see, describe and status should still say what is known', async () => {
    const facts = await clusterFacts(test.client, { namespace, name: 'late' });
    expect(clusterText(facts, terminal.colors, Date.now())).toMatch(/^Root cause: no such image\n/);
    const connection = connectionTo(test.client, test.cluster.server, 'test');
    const { hostedClusters: clusters } = statusReport(await statusFacts(connection));
    expect(clusters.find(({ name }) => name === 'late')).toMatchObject({
      available: 'Unknown',
      message: 'no such image',
    });
  });
});

describe('dump cluster', () => {
  it('When a cluster is dumped, everything about it should be there except what is secret', async () => {
    await create('dumped', 'none', { infraId: 'dumped-1' });
    await test.client.create(corev1.namespaces, { metadata: { name: 'clusters-dumped' } });
    await test.client.create(corev1.secrets, {
      metadata: { namespace: 'clusters-dumped', name: 'admin' },
      data: { password: Buffer.from('hunter2').toString('base64') },
    });
    await test.client.create(corev1.configmaps, {
      metadata: { namespace: 'clusters-dumped', name: 'settings' },
      data: { note: 'plain' },
    });
    const kubeconfig = Buffer.from(test.cluster.adminKubeconfig()).toString('base64');
    await test.client.create(corev1.secrets, {
      metadata: { namespace, name: 'dumped-kubeconfig' },
      data: { kubeconfig },
    });
    await report('dumped', 'EtcdAvailable', 'False', 'no quorum', { kubeconfig: { name: 'dumped-kubeconfig' } });
    const files = await dumpFiles({
      client: test.client,
      namespace,
      name: 'dumped',
      operatorNamespace: 'hypershift',
      guest: true,
      now: Date.now(),
    });
    const text = new Map(files.map(({ path, content }) => [path, content]));
    expect([...text.keys()]).toEqual(
      expect.arrayContaining([
        'index.html',
        'describe.txt',
        'namespaces/clusters/hostedclusters.yaml',
        'namespaces/clusters/secrets.yaml',
        'namespaces/clusters-dumped/secrets.yaml',
        'namespaces/clusters-dumped/configmaps.yaml',
        'hosted-cluster/cluster/namespaces.yaml',
      ]),
    );
    expect(text.get('index.html')).toContain('no quorum');
    expect(text.get('namespaces/clusters-dumped/configmaps.yaml')).toContain('note: plain');
    expect(text.get('namespaces/clusters/secrets.yaml')).not.toContain('on-none');
    const everything = [...text.values()].join('\n');
    expect(everything).not.toMatch(/hunter2|aHVudGVyMg/);
    expect(everything).not.toContain(kubeconfig.slice(0, 40));
  });
});

describe('create nodepool', () => {
  it('When a pool is made for a cluster, it should take release and place from it', async () => {
    await create('grown', 'aws', { infraId: 'grown-1' });
    const cluster = await test.client.get(hostedClusters, { namespace, name: 'grown' });
    const platform = platformBuilders.find(({ command }) => command === 'aws')!;
    const flags = {
      name: 'more',
      clusterName: 'grown',
      namespace,
      replicas: 3,
      arch: 'arm64',
      autoRepair: true,
      nodeLabels: ['a=b'],
      config: ['mc'],
    };
    const pool = newNodePool(cluster, platform, flags, valuesOf({ rootVolumeSize: 120, rootVolumeType: 'gp3' }));
    const live = await test.client.create(nodePools, pool as never, { fieldValidation: 'Strict' });
    expect(live.spec).toMatchObject({
      release: cluster.spec.release,
      replicas: 3,
      management: { upgradeType: 'Replace', autoRepair: true },
      nodeLabels: { a: 'b' },
      platform: {
        aws: {
          instanceType: 'm6g.large',
          instanceProfile: 'grown-1-worker',
          subnet: { id: 'subnet-00000000000000000' },
        },
      },
    });
    const wrong = platformBuilders.find(({ command }) => command === 'kubevirt')!;
    expect(() => newNodePool(cluster, wrong, flags, valuesOf({}))).toThrow('is on platform AWS');
  });
});
