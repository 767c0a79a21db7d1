import { join } from 'node:path';
import { apiextensionsv1, certificatesv1, corev1, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import { parseRequest } from '@hypershift-ts/kube-pki';
import { capiv1beta1, clusterApiCrds } from '@hypershift-ts/machines-cluster-api';
import {
  type InfrastructureProvider,
  machineKinds,
  providerCrds,
  runSimulatedProvider,
  SimulatedCloud,
} from '@hypershift-ts/machines-providers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type HostedClusterUnderTest, startHostedCluster } from './harness.ts';

const namespace = 'clusters-demo';
const providers: readonly InfrastructureProvider[] = [
  'aws',
  'azure',
  'gcp',
  'kubevirt',
  'agent',
  'openstack',
  'ibmcloud',
];

/** What each cloud's machine looks like and how its instance is called. */
const samples: Readonly<Record<string, { readonly spec: object; readonly providerID: RegExp; readonly cpu: string }>> =
  {
    AWSMachine: {
      spec: { instanceType: 'm6i.xlarge' },
      providerID: /^aws:\/\/\/us-east-1a\/i-[0-9a-f]{17}$/,
      cpu: '4',
    },
    AzureMachine: {
      spec: { vmSize: 'Standard_D4s_v5', osDisk: { osType: 'Linux', diskSizeGB: 120 }, sshPublicKey: '' },
      providerID:
        /^azure:\/\/\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft.Compute\/virtualMachines\/azuremachine$/,
      cpu: '4',
    },
    GCPMachine: {
      spec: { instanceType: 'n2-standard-8' },
      providerID: /^gce:\/\/[^/]+\/us-central1-a\/gcpmachine$/,
      cpu: '8',
    },
    KubevirtMachine: {
      spec: {
        virtualMachineTemplate: {
          spec: {
            template: { spec: { domain: { cpu: { cores: 2 }, memory: { guest: '8Gi' }, devices: {} } } },
          },
        },
      },
      providerID: /^kubevirt:\/\/kubevirtmachine$/,
      cpu: '2',
    },
    AgentMachine: { spec: {}, providerID: /^agent:\/\/[0-9a-f-]{36}$/, cpu: '8' },
    OpenStackMachine: {
      spec: { flavor: 'm1.xlarge', image: { filter: { name: 'rhcos' } } },
      providerID: /^openstack:\/\/\/[0-9a-f-]{36}$/,
      cpu: '8',
    },
    IBMPowerVSMachine: {
      spec: {
        serviceInstanceID: 'svc',
        network: { name: 'n' },
        processors: '0.5',
        memoryGiB: 32,
        image: { name: 'rhcos' },
      },
      providerID: /^ibmpowervs:\/\/us-south\/us-south\/svc\/[0-9a-f-]{36}$/,
      cpu: '4',
    },
    IBMVPCMachine: {
      spec: { image: { name: 'rhcos' }, zone: 'us-south-1', profile: 'bx2-4x16' },
      providerID: /^ibm:\/\/simulated\/\/\/demo\/0717_[0-9a-f-]{36}$/,
      cpu: '4',
    },
  };

describe('the simulated provider', () => {
  let hosted: HostedClusterUnderTest;
  let cloud: SimulatedCloud;
  let running: Promise<void>;
  let stopper: AbortController;
  const begin = () => {
    cloud = new SimulatedCloud({ dataDir: join(hosted.directory, 'cloud') });
    stopper = new AbortController();
    running = runSimulatedProvider({
      client: hosted.cluster.client(),
      namespace,
      cloud,
      signal: stopper.signal,
    });
  };
  const end = async () => {
    stopper.abort();
    await running;
    await cloud.close();
  };
  const kindOf = (name: string) => machineKinds.find(({ type }) => type.kind === name)!;
  const infra = (kind: string, name = kind.toLowerCase()) => hosted.client.get(kindOf(kind).type, { namespace, name });

  /** What Cluster API would make of a MachineSet's template. */
  const createMachine = async (kind: string, spec: object, name = kind.toLowerCase(), secret = 'user-data') => {
    const { type } = kindOf(kind);
    const apiVersion = `${type.group}/${type.version}`;
    const machine = await hosted.client.create(capiv1beta1.machines, {
      metadata: { name, namespace, labels: { 'cluster.x-k8s.io/cluster-name': 'demo' } },
      spec: {
        clusterName: 'demo',
        bootstrap: { dataSecretName: secret },
        infrastructureRef: { apiVersion, kind, name, namespace },
      },
    });
    const owner = {
      apiVersion: 'cluster.x-k8s.io/v1beta1',
      kind: 'Machine',
      name,
      uid: machine.metadata.uid ?? '',
      controller: true,
    };
    await hosted.client.create<KubeObject>(type, {
      metadata: { name, namespace, labels: { 'cluster.x-k8s.io/cluster-name': 'demo' }, ownerReferences: [owner] },
      spec,
    } as never);
  };

  beforeAll(async () => {
    hosted = await startHostedCluster();
    const { client } = hosted;
    for (const crd of [...clusterApiCrds(), ...providers.flatMap((provider) => providerCrds(provider))])
      await client.create(apiextensionsv1.customresourcedefinitions, crd as never);
    await client.create(corev1.namespaces, { metadata: { name: namespace } });
    await client.create(corev1.secrets, {
      metadata: { name: 'user-data', namespace },
      stringData: { value: hosted.userData },
    });
    await vi.waitFor(() => client.list(capiv1beta1.clusters), { timeout: 10_000 });
    await client.create(capiv1beta1.clusters, { metadata: { name: 'demo', namespace }, spec: {} });
    await client.patch(
      capiv1beta1.clusters,
      { namespace, name: 'demo' },
      { type: 'merge', body: { status: { infrastructureReady: true } } },
      { subresource: 'status' },
    );
    await vi.waitFor(() => Promise.all(machineKinds.map(({ type }) => client.list(type))), { timeout: 10_000 });
    begin();
  }, 60_000);
  afterAll(async () => {
    await end();
    await hosted.stop();
  });

  it.each(Object.entries(samples))(
    'When a %s is made, it should become a node',
    async (kind, { spec, providerID, cpu }) => {
      await createMachine(kind, spec);
      await expect.poll(async () => (await infra(kind)).status?.ready, { timeout: 10_000 }).toBe(true);
      const machine = await infra(kind);
      expect(machine.spec?.providerID).toMatch(providerID);
      expect(machine.metadata.finalizers).toEqual([kindOf(kind).finalizer]);
      expect(machine.metadata.annotations).toMatchObject({ 'hypershift-ts.io/simulated': 'true' });
      const addresses = machine.status?.addresses ?? [];
      expect(addresses.map(({ type }) => type)).toEqual(['InternalIP', 'InternalDNS', 'Hostname']);
      const name = addresses.find(({ type }) => type === 'InternalDNS')?.address ?? '';
      const node = () => hosted.client.get(corev1.nodes, { name }).catch(() => undefined);
      await expect
        .poll(async () => (await node())?.spec?.providerID, { timeout: 10_000 })
        .toBe(machine.spec?.providerID);
      // Its status follows the node itself.
      await expect.poll(async () => (await node())?.status?.capacity?.['cpu'], { timeout: 10_000 }).toBe(cpu);
    },
  );

  it('When nothing changes any more, it should write nothing', async () => {
    const versions = async () =>
      Promise.all(Object.keys(samples).map(async (kind) => (await infra(kind)).metadata.resourceVersion));
    const before = await versions();
    await hosted.client.patch(
      capiv1beta1.clusters,
      { namespace, name: 'demo' },
      { type: 'merge', body: { metadata: { labels: { touched: 'yes' } } } },
    );
    await createMachine('AWSMachine', { instanceType: 'm6i.large' }, 'witness');
    await expect.poll(async () => (await infra('AWSMachine', 'witness')).status?.ready).toBe(true);
    expect(await versions()).toEqual(before);
  });

  it.each(machineKinds.flatMap(({ type, template }) => (template ? [[type.kind, template] as const] : [])))(
    'When there is a template for %s, it should say how large its machines would be, once',
    async (kind, template) => {
      const { spec, cpu } = samples[kind]!;
      const { type, nodeInfo } = template;
      await hosted.client.create<KubeObject>(type, {
        metadata: { name: 'pool', namespace },
        spec: { template: { spec } },
      } as never);
      const status = async () =>
        ((await hosted.client.get(type, { namespace, name: 'pool' })) as KubeObject & { status?: object }).status;
      await expect.poll(status).toMatchObject({
        capacity: { cpu },
        ...(nodeInfo.length > 0 ? { nodeInfo: { operatingSystem: 'linux' } } : {}),
      });
      const { resourceVersion } = (await hosted.client.get(type, { namespace, name: 'pool' })).metadata;
      const body = { metadata: { labels: { touched: 'yes' } } };
      const touched = await hosted.client.patch(type, { namespace, name: 'pool' }, { type: 'merge', body });
      expect(touched.metadata.resourceVersion).not.toBe(resourceVersion);
      await new Promise((resolve) => setTimeout(resolve, 50));
      const after = await hosted.client.get(type, { namespace, name: 'pool' });
      expect(after.metadata.resourceVersion).toBe(touched.metadata.resourceVersion);
    },
  );

  it('When the type does not exist, the machine should fail in the words of the cloud', async () => {
    await createMachine('AWSMachine', { instanceType: 'm6i.gigantic' }, 'too-big');
    await expect
      .poll(async () => (await infra('AWSMachine', 'too-big')).status)
      .toMatchObject({
        ready: false,
        failureReason: 'CreateError',
        failureMessage: expect.stringContaining("Invalid value 'm6i.gigantic' for InstanceType"),
        conditions: expect.arrayContaining([
          expect.objectContaining({ type: 'InstanceReady', status: 'False', reason: 'InstanceProvisionFailed' }),
        ]),
      });
  });

  it('When the cloud has no room, the machine should say so and not fail for good', async () => {
    const over = cloud.faults.inject({ kind: 'capacity', namePrefix: 'crowded' });
    await createMachine('GCPMachine', { instanceType: 'n2-standard-2' }, 'crowded-gcp');
    await createMachine('AzureMachine', samples['AzureMachine']!.spec, 'crowded');
    await expect
      .poll(async () => (await infra('AzureMachine', 'crowded')).status?.conditions)
      .toEqual(expect.arrayContaining([expect.objectContaining({ type: 'VMRunning', reason: 'VMProvisionFailed' })]));
    expect((await infra('AzureMachine', 'crowded')).status?.failureReason).toBeUndefined();
    over();
  });

  it('When the user data is missing, it should name the Secret it waits for', async () => {
    await createMachine('AWSMachine', { instanceType: 'm6i.large' }, 'late', 'not-there');
    await expect
      .poll(async () => (await infra('AWSMachine', 'late')).status?.conditions)
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            type: 'Ready',
            reason: 'WaitingForBootstrapData',
            message: expect.stringContaining('not-there'),
          }),
        ]),
      );
  });

  it('When the user data is malformed, it should say what is wrong and how to mend it, and go on once it is', async () => {
    const { client, userData } = hosted;
    const put = (name: string, text: string) => ({
      metadata: { namespace, name },
      data: { value: Buffer.from(text).toString('base64') },
    });
    await client.create(corev1.secrets, put('broken', `${userData},`) as never);
    await createMachine('AWSMachine', { instanceType: 'm6i.large' }, 'broken', 'broken');
    const readiness = async () => {
      const found = (await infra('AWSMachine', 'broken')).status?.conditions?.find(({ type }) => type === 'Ready');
      return `${found?.status} ${found?.message ?? ''}`;
    };
    await expect.poll(readiness).toMatch(/^False user data is not JSON: .*correct key "value" of Secret broken/);
    expect(await readiness()).not.toContain('Bearer');
    await client.update(corev1.secrets, put('broken', userData) as never);
    await expect.poll(readiness, { timeout: 20_000 }).toMatch(/^True/);
  });

  it('When the process starts again, machines should go on with their disks and addresses', async () => {
    const before = await infra('AWSMachine');
    const name = before.status?.addresses?.find(({ type }) => type === 'InternalDNS')?.address ?? '';
    const nodeBefore = await hosted.client.get(corev1.nodes, { name });
    const requests = async () => {
      const { items } = await hosted.client.list(certificatesv1.certificatesigningrequests);
      const subjects = items.map(({ spec }) => parseRequest(Buffer.from(spec.request, 'base64').toString()).subject);
      return subjects.filter(({ commonName }) => commonName === `system:node:${name}`).length;
    };
    const requestsBefore = await requests();
    await end();
    begin();
    const bootOf = async () => (await hosted.client.get(corev1.nodes, { name })).status?.nodeInfo?.bootID;
    await expect.poll(bootOf, { timeout: 10_000 }).not.toBe(nodeBefore.status?.nodeInfo?.bootID);
    const node = await hosted.client.get(corev1.nodes, { name });
    expect(node.metadata.uid).toBe(nodeBefore.metadata.uid);
    // Nobody would approve another certificate for a name that is a node already.
    expect(await requests()).toBe(requestsBefore);
    expect((await infra('AWSMachine')).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    // Ignition runs once in a machine's life; its console still tells of it.
    const { machine } = cloud.list().find(({ nodeName }) => nodeName === name)!;
    expect(machine.console.text()).toMatch(/ignition: finished[\s\S]*power off[\s\S]*simulated machine/);
  });

  it('When an instance ends behind our back, the machine should say that it was terminated', async () => {
    const instance = cloud.list().find(({ request }) => request.name === 'openstackmachine');
    await cloud.terminate(instance?.id ?? '', 'the spot instance was interrupted by the cloud');
    await expect
      .poll(async () => (await infra('OpenStackMachine')).status)
      .toMatchObject({
        ready: false,
        failureReason: 'UpdateError',
        failureMessage: expect.stringContaining('spot instance was interrupted'),
        conditions: expect.arrayContaining([
          expect.objectContaining({ reason: 'InstanceTerminated', status: 'False' }),
        ]),
      });
  });

  it('When a machine is deleted, its instance should go and then the finalizer', async () => {
    await hosted.client.delete(kindOf('AWSMachine').type, { namespace, name: 'awsmachine' });
    await expect.poll(() => infra('AWSMachine').catch(() => undefined), { timeout: 10_000 }).toBeUndefined();
    expect(cloud.list().map(({ request }) => request.name)).not.toContain('awsmachine');
  });
});
