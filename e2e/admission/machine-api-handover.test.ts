import { type ResourceType, StatusError, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { type Client, clusterConfigFrom, HttpClient, parseKubeconfig } from '@hypershift-ts/kube-client';
import { machineApiCrds, mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { commonPolicies, platformConversion, platformPolicies } from '@hypershift-ts/machines-migration';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';
import { admissionTypes, createNamespaces, definitionOf, waitUntilServed } from './fixtures.ts';

const machineApi = 'openshift-machine-api';
const clusterApi = 'openshift-cluster-api';

const newMachines: ResourceType = {
  group: 'cluster.x-k8s.io',
  version: 'v1beta2',
  kind: 'Machine',
  resource: 'machines',
  namespaced: true,
};
const newMachineSets: ResourceType = { ...newMachines, kind: 'MachineSet', resource: 'machinesets' };
const { cluster: awsClusters } = platformConversion('AWS')!.kinds;
const infrastructures: ResourceType = {
  group: 'config.openshift.io',
  version: 'v1',
  kind: 'Infrastructure',
  resource: 'infrastructures',
  namespaced: false,
};

/** What this repository adds to the policies of upstream, with all policies in force as in a real cluster. */
describe('The admission policies of a migration, all at once', () => {
  let server: TestCluster;
  let admin: Client;
  let alice: HttpClient;

  beforeAll(async () => {
    server = await startTestCluster();
    admin = server.cluster.client();
    const config = clusterConfigFrom(parseKubeconfig(server.cluster.adminKubeconfig(), 'test', '/'));
    alice = new HttpClient({ ...config, impersonate: { user: 'alice', groups: ['system:masters'] } });
    await createNamespaces(admin, [machineApi, clusterApi]);
    for (const definition of machineApiCrds({ migration: true }))
      await admin.create(admissionTypes.definitions, definition as unknown as UnstructuredObject);
    for (const { group, version, resource, kind, namespaced } of [
      newMachines,
      newMachineSets,
      awsClusters,
      infrastructures,
    ]) {
      const definition = definitionOf(group, version, resource, kind);
      const scope = namespaced ? 'Namespaced' : 'Cluster';
      await admin.create(admissionTypes.definitions, {
        ...definition,
        spec: { ...(definition['spec'] as object), scope },
      });
      await waitUntilServed(server.client, `/apis/${group}/${version}/${resource}`);
    }
    for (const resource of ['machines', 'machinesets'])
      await waitUntilServed(server.client, `/apis/machine.openshift.io/v1beta1/${resource}`);
    await admin.create(infrastructures, {
      apiVersion: 'config.openshift.io/v1',
      kind: 'Infrastructure',
      metadata: { name: 'cluster' },
      status: { infrastructureName: 'prod' },
    });
    await admin.update(
      infrastructures,
      { ...(await admin.get(infrastructures, { name: 'cluster' })), status: { infrastructureName: 'prod' } },
      { subresource: 'status' },
    );
    for (const { policy, binding } of [...commonPolicies(), ...platformPolicies(platformConversion('AWS')!)]) {
      await admin.create(admissionTypes.policies, policy as unknown as UnstructuredObject);
      await admin.create(admissionTypes.bindings, binding as unknown as UnstructuredObject);
    }
  }, 60_000);

  afterAll(async () => {
    await alice?.close();
    await server?.stop();
  });

  /** A machine in the hands of nobody: authority has left one side and not yet reached the other. */
  async function migrating(name: string): Promise<void> {
    await admin.create(mapiv1beta1.machines, {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'Machine',
      metadata: { name, namespace: machineApi },
      spec: { authoritativeAPI: 'ClusterAPI' },
    });
    const status = { authoritativeAPI: 'Migrating', phase: 'Running', conditions: [] };
    await admin.patch(
      mapiv1beta1.machines,
      { name, namespace: machineApi },
      { type: 'merge', body: { status } },
      { subresource: 'status' },
    );
    await admin.create(newMachines, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { name, namespace: clusterApi, annotations: { 'cluster.x-k8s.io/paused': '' } },
      spec: { clusterName: 'prod' },
    });
    await admin.patch(
      newMachines,
      { name, namespace: clusterApi },
      { type: 'merge', body: { status: { initialization: { infrastructureProvisioned: true } } } },
      { subresource: 'status' },
    );
  }

  async function refusal(request: Promise<unknown>): Promise<string> {
    try {
      await request;
      return '';
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return error.message;
    }
  }

  it('When a machine is being handed over, it should refuse edits of either copy and say how to go on', async () => {
    await migrating('edited');
    const edits = [
      alice.patch(
        mapiv1beta1.machines,
        { name: 'edited', namespace: machineApi },
        { type: 'merge', body: { spec: { providerID: 'aws:///a/i-1' } } },
      ),
      alice.patch(
        newMachines,
        { name: 'edited', namespace: clusterApi },
        { type: 'merge', body: { spec: { failureDomain: 'a' } } },
      ),
    ];
    for (const edit of edits)
      expect(await refusal(edit)).toContain('set spec.authoritativeAPI of the Machine API object back');
  });

  it('When a machine is being handed over, it should let the user cancel that', async () => {
    await migrating('cancelled');
    const cancel = alice.patch(
      mapiv1beta1.machines,
      { name: 'cancelled', namespace: machineApi },
      { type: 'merge', body: { spec: { authoritativeAPI: 'MachineAPI' } } },
    );
    expect(await refusal(cancel)).toBe('');
  });

  it('When a set that is not synchronised is asked to change sides, it should warn', async () => {
    const key = { name: 'workers', namespace: machineApi };
    await admin.create(mapiv1beta1.machinesets, {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'MachineSet',
      metadata: key,
      spec: { authoritativeAPI: 'MachineAPI', selector: {} },
    });
    const warnings: string[] = [];
    alice.onWarning = (text) => warnings.push(text);
    await alice.patch(mapiv1beta1.machinesets, key, {
      type: 'merge',
      body: { spec: { authoritativeAPI: 'ClusterAPI' } },
    });
    expect(warnings.join('\n')).toContain('when the Synchronized condition is not true');
  });

  it('When an InfraCluster is deleted, it should be refused for that of this cluster only', async () => {
    for (const name of ['prod', 'other']) {
      const metadata = { name, namespace: clusterApi };
      await admin.create(awsClusters, {
        apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
        kind: 'AWSCluster',
        metadata,
      });
    }
    expect(await refusal(alice.delete(awsClusters, { name: 'prod', namespace: clusterApi }))).toContain(
      'cannot be deleted',
    );
    expect(await refusal(alice.delete(awsClusters, { name: 'other', namespace: clusterApi }))).toBe('');
  });
});
