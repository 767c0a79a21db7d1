import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openshift } from '@hypershift-ts/hypershift-api';
import { type CrdManifestObject, apiextensionsv1, isConditionTrue } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1, clusterApiCrds } from '@hypershift-ts/machines-cluster-api';
import { machineApiCrds, mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { awsv1beta2, infrastructureProviders, providerCrds } from '@hypershift-ts/machines-providers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';

const folder = fileURLToPath(new URL('../../deploy/crds/', import.meta.url));
const crds = [
  ...clusterApiCrds({ storageVersion: 'v1beta1', served: ['v1beta1'] }),
  ...infrastructureProviders.flatMap((provider) => providerCrds(provider)),
  ...machineApiCrds({ migration: true }),
  ...(openshift.openshiftCrds() as readonly unknown[] as readonly CrdManifestObject[]),
  ...(openshift.monitoringCrds() as readonly unknown[] as readonly CrdManifestObject[]),
];
const fieldManager = 'test';

describe('foreign kinds on the embedded API server', () => {
  let test: TestCluster;
  const namespace = 'default';

  beforeAll(async () => {
    test = await startTestCluster();
    for (const crd of crds) await test.client.apply(apiextensionsv1.customresourcedefinitions, crd, { fieldManager });
  });
  afterAll(() => test.stop());

  it('When every CRD is installed, it should be established without complaint', async () => {
    const { items } = await test.client.list(apiextensionsv1.customresourcedefinitions);
    expect(items.length).toBe(crds.length);
    const waiting = items.filter(({ status }) => !isConditionTrue(status?.conditions as never, 'Established'));
    expect(waiting.map(({ metadata }) => metadata.name)).toEqual([]);
    const faulty = items.filter(({ status }) => isConditionTrue(status?.conditions as never, 'NonStructuralSchema'));
    expect(faulty.map(({ metadata }) => metadata.name)).toEqual([]);
  });

  it('When a MachineDeployment is created, it should keep its template and get its defaults', async () => {
    const created = await test.client.create(capiv1beta1.machinedeployments, {
      metadata: { name: 'demo', namespace },
      spec: {
        clusterName: 'demo-x7x2k',
        replicas: 2,
        selector: {},
        template: {
          spec: {
            clusterName: 'demo-x7x2k',
            bootstrap: { dataSecretName: 'user-data-demo' },
            infrastructureRef: {
              apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
              kind: 'AWSMachineTemplate',
              name: 'demo',
            },
            nodeDrainTimeout: '30m',
          },
        },
      },
    });
    expect(created.spec.template.spec.nodeDrainTimeout).toBe('30m');
    expect(created.spec.replicas).toBe(2);
  });

  it('When kinds of a provider, the Machine API, OpenShift and monitoring are created, it should store them', async () => {
    const { client } = test;
    const template = await client.create(awsv1beta2.awsmachinetemplates, {
      metadata: { name: 'demo', namespace },
      spec: { template: { spec: { instanceType: 'm6i.large' } } },
    });
    expect(template.spec.template.spec.instanceType).toBe('m6i.large');
    const machine = await client.create(mapiv1beta1.machines, {
      metadata: { name: 'demo', namespace },
      spec: { providerSpec: { value: { kind: 'AWSMachineProviderConfig', instanceType: 'm6i.large' } } },
    });
    expect(machine.spec.authoritativeAPI).toBe('MachineAPI');
    expect(machine.spec.providerSpec?.value).toMatchObject({ instanceType: 'm6i.large' });
    const route = await client.apply(
      openshift.routes,
      { metadata: { name: 'demo', namespace }, spec: { to: { name: 'web' } } },
      { fieldManager },
    );
    expect(route.spec).toEqual({ to: { kind: 'Service', name: 'web', weight: 100 }, wildcardPolicy: 'None' });
    const version = await client.apply(
      openshift.clusterVersions,
      { metadata: { name: 'version' }, spec: { clusterID: '2f3c5d0e-9d3b-4c48-9b8c-0d5b3c1f2a11' } },
      { fieldManager },
    );
    expect(version.metadata.generation).toBe(1);
  });

  it('When the manifests are listed, it should be the same kinds', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /^(machines|openshift|monitoring)[\\/].*\.yaml$/.test(name),
    );
    // Machine and MachineSet are there with and without migration, ControlPlaneMachineSet in both folders.
    expect(files.length).toBe(crds.length + 3);
  });
});
