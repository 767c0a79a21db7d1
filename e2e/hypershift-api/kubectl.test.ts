import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { controlPlaneComponents, hostedClusters, hostedControlPlanes, nodePools } from '@hypershift-ts/hypershift-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';
import { findKubectls, Kubectl } from '../harness/kubectl.ts';
import { aCluster, aComponent, aControlPlane, aPool, conditions } from './objects.ts';

const folder = fileURLToPath(new URL('../../deploy/crds/TechPreviewNoUpgrade/', import.meta.url));
const kubectls = findKubectls();

/** Columns of a table: the words of its first line, which are at least two spaces apart. */
const columns = (table: string): string[] =>
  table
    .split('\n')[0]!
    .trim()
    .split(/\s{2,}/);

describe.skipIf(kubectls.length === 0).each(kubectls.slice(-1))('our CRDs through $name', ({ path }) => {
  let test: TestCluster;
  let kubectl: Kubectl;

  beforeAll(async () => {
    test = await startTestCluster();
    kubectl = new Kubectl(path, test.cluster.adminKubeconfig());
    expect(readdirSync(folder).length).toBeGreaterThan(10);
    await kubectl.ok(['apply', '--server-side', '-f', folder]);
    await kubectl.ok('wait --for=condition=Established crd --all --timeout=30s');
    await kubectl.ok('create namespace clusters');
    await kubectl.ok('config set-context --current --namespace=clusters');
    for (const object of [aCluster, aPool, aControlPlane, aComponent])
      await kubectl.ok('create -f -', JSON.stringify(object));
    const key = { namespace: 'clusters', name: 'demo' };
    const { client } = test;
    const asStatus = { subresource: 'status' };
    const cluster = await client.get(hostedClusters, key);
    const kubeconfig = { name: 'demo-admin-kubeconfig' };
    const status = { ...cluster.status, conditions: conditions('Available', 'Progressing'), kubeconfig };
    await client.update(hostedClusters, { ...cluster, status }, asStatus);
    const pool = await client.get(nodePools, key);
    const poolTypes = ['AutoscalingEnabled', 'AutorepairEnabled', 'UpdatingVersion', 'UpdatingConfig', 'Ready'];
    const poolStatus = { ...pool.status, replicas: 2, version: '4.20.1', conditions: conditions(...poolTypes) };
    await client.update(nodePools, { ...pool, status: poolStatus }, asStatus);
    const component = await client.get(controlPlaneComponents, key);
    const rolledOut = { version: '4.20.1', conditions: conditions('Available', 'RolloutComplete') };
    await client.update(controlPlaneComponents, { ...component, status: rolledOut }, asStatus);
    expect((await client.get(hostedControlPlanes, key)).kind).toBe('HostedControlPlane');
  });
  afterAll(async () => {
    kubectl.dispose();
    await test.stop();
  });

  it('When hostedcluster.spec.platform.gcp is explained, it should show every field below it', async () => {
    const text = await kubectl.ok('explain hostedcluster.spec.platform.gcp --recursive');
    for (const field of [
      'project',
      'region',
      'networkConfig',
      'privateServiceConnectSubnet',
      'endpointAccess',
      'resourceLabels',
      'workloadIdentity',
      'serviceAccountsEmails',
      'cloudController',
    ])
      expect(text).toMatch(new RegExp(`^\\s+${field}\\s+<`, 'm'));
    expect(text).toMatch(/project\s+<string> -required-/);
    expect(text).toMatch(/endpointAccess\s+<string>/);
  });

  it.each([
    [
      'hc',
      [
        'NAME',
        'VERSION',
        'CP VERSION',
        'KUBECONFIG',
        'PROGRESS',
        'AVAILABLE',
        'PROGRESSING',
        'MESSAGE',
        'CP PROGRESS',
        'DP PROGRESS',
      ],
    ],
    [
      'np',
      [
        'NAME',
        'CLUSTER',
        'DESIRED NODES',
        'CURRENT NODES',
        'AUTOSCALING',
        'AUTOREPAIR',
        'VERSION',
        'UPDATINGVERSION',
        'UPDATINGCONFIG',
        'MESSAGE',
      ],
    ],
    ['hcp', ['NAME', 'AGE']],
    ['cpc', ['NAME', 'VERSION', 'AVAILABLE', 'ROLLOUTCOMPLETE', 'MESSAGE', 'ROLLOUTCOMPLETEMESSAGE']],
  ])('When %s is listed wide, it should have the columns of upstream', async (short, expected) => {
    expect(columns(await kubectl.ok(`get ${short} -o wide`))).toEqual(expected);
  });

  it('When all four kinds are listed at once, it should show a row of each', async () => {
    const text = await kubectl.ok('get hc,np,hcp,cpc -o wide');
    for (const row of ['hostedcluster', 'nodepool', 'hostedcontrolplane', 'controlplanecomponent'])
      expect(text).toContain(`${row}.hypershift.openshift.io/demo`);
    expect(text).toMatch(/nodepool\S+\/demo\s+demo\s+2\s+2\s+True\s+True\s+4\.20\.1/);
    expect(text).toMatch(/hostedcluster\S+\/demo\s+demo-admin-kubeconfig\s+True\s+True\s+Available is True/);
  });

  it('When a node pool is scaled, it should change its replicas and nothing else', async () => {
    const key = { namespace: 'clusters', name: 'demo' };
    const before = await test.client.get(nodePools, key);
    await kubectl.ok('scale nodepool demo --replicas=5');
    const after = await test.client.get(nodePools, key);
    expect(after.spec).toEqual({ ...before.spec, replicas: 5 });
    expect(
      await kubectl.ok([
        'get',
        'np',
        'demo',
        '--subresource=scale',
        '-o',
        'jsonpath={.spec.replicas}/{.status.replicas}',
      ]),
    ).toBe('5/2');
  });

  it('When an object breaks a rule, it should be told with the words of upstream', async () => {
    const bad = { ...aPool, metadata: { name: 'bad' }, spec: { ...aPool.spec, autoScaling: { min: 1, max: 2 } } };
    expect(await kubectl.fails('create -f -', JSON.stringify(bad))).toContain(
      'Both replicas or autoScaling should not be set',
    );
  });
});
