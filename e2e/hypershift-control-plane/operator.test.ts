import { controlPlaneComponents, hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { networkChecks } from '@hypershift-ts/hypershift-control-plane';
import { embeddedReleaseImage } from '@hypershift-ts/hypershift-release';
import { appsv1, corev1, findCondition } from '@hypershift-ts/kube-apimachinery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createControlPlane,
  describeNamespace,
  eventually,
  getControlPlane,
  hostedAdmin,
  isAvailable,
  type Management,
  operatorWrites,
  type RunningOperator,
  startManagement,
  startOperator,
  untilControlPlane,
  untilReconciled,
} from './harness.ts';

const namespace = 'clusters-demo';
const key = { namespace, name: 'demo' };
let management: Management;
let operator: RunningOperator;

beforeAll(async () => {
  management = await startManagement();
});
afterAll(async () => {
  await operator?.stop();
  await management?.stop();
});

const patchSpec = (spec: object) =>
  management.client.patch(hostedControlPlanes, key, { type: 'merge', body: { spec } });
const available = async () =>
  findCondition((await getControlPlane(management.client, namespace)).status?.conditions, 'Available');

// Generous: machines that run the whole suite are busy.
describe('the operator of a control plane', { timeout: 120_000 }, () => {
  it('When a HostedControlPlane is created, it should become available with a kubeconfig that works', async () => {
    const began = performance.now();
    await createControlPlane(management.client, namespace);
    operator = startOperator(management, namespace);
    const hcp = await untilControlPlane(management.client, namespace, isAvailable);
    process.stderr.write(`create to Available: ${Math.round(performance.now() - began)} ms\n`);
    expect(hcp.status).toMatchObject({
      ready: true,
      initialized: true,
      externalManagedControlPlane: true,
      kubeConfig: { name: 'admin-kubeconfig', key: 'kubeconfig' },
      kubeadminPassword: { name: 'kubeadmin-password' },
      controlPlaneEndpoint: { port: 6443 },
    });
    const hosted = await hostedAdmin(management.client, namespace);
    try {
      const made = await hosted.create(corev1.namespaces, { metadata: { name: 'shop' } });
      expect(made.metadata.uid).toBeTruthy();
    } finally {
      await hosted.close();
    }
  });

  it('When it is settled, it should report what a healthy control plane reports', async () => {
    const hcp = await untilControlPlane(
      management.client,
      namespace,
      ({ status }) => status?.controlPlaneVersion?.history?.[0]?.state === 'Completed',
    );
    const told = Object.fromEntries((hcp.status?.conditions ?? []).map(({ type, status }) => [type, status]));
    expect(told).toMatchObject({
      ValidHostedControlPlaneConfiguration: 'True',
      EtcdAvailable: 'True',
      KubeAPIServerAvailable: 'True',
      InfrastructureReady: 'True',
      ReconciliationActive: 'True',
      ValidReleaseInfo: 'True',
      ValidIDPConfiguration: 'True',
      ExternalDNSReachable: 'Unknown',
      Degraded: 'False',
      Available: 'True',
    });
    expect(hcp.status?.controlPlaneVersion).toMatchObject({ desired: { version: '4.20.8' } });
  });

  it('When a settled control plane is reconciled by a new process, it should write nothing', async () => {
    await operator.stop();
    operator = await untilReconciled(management, namespace);
    expect(operatorWrites(management).map(({ verb, objectRef }) => [verb, objectRef])).toEqual([]);
  });

  it('When somebody changes what it made, it should put it back', async () => {
    const deployment = { namespace, name: 'kube-scheduler' };
    await management.client.patch(appsv1.deployments, deployment, {
      type: 'json',
      body: [{ op: 'replace', path: '/spec/template/spec/containers/0/args', value: ['--broken'] }],
    });
    await eventually(async () => {
      const { spec } = await management.client.get(appsv1.deployments, deployment);
      return !spec?.template.spec?.containers[0]?.args?.includes('--broken');
    }, 'the Deployment as it was');
    const secret = { namespace, name: 'kube-scheduler-kubeconfig' };
    const before = await management.client.get(corev1.secrets, secret);
    await management.client.delete(corev1.secrets, secret);
    const again = await eventually(() => management.client.get(corev1.secrets, secret), 'the kubeconfig again');
    expect(again.data).toEqual(before.data);
  });

  it('When it is paused, it should say so and leave everything as it is', async () => {
    await patchSpec({ pausedUntil: 'true' });
    await untilControlPlane(
      management.client,
      namespace,
      ({ status }) => findCondition(status?.conditions, 'ReconciliationActive')?.reason === 'ReconciliationPaused',
    );
    await management.client.delete(corev1.configmaps, { namespace, name: 'kcm-config' });
    await untilControlPlane(management.client, namespace, isAvailable);
    await expect(management.client.get(corev1.configmaps, { namespace, name: 'kcm-config' })).rejects.toMatchObject({
      code: 404,
    });
    await patchSpec({ pausedUntil: null });
    await eventually(
      () => management.client.get(corev1.configmaps, { namespace, name: 'kcm-config' }),
      'work to go on',
    );
  });

  it('When an operator of another release is in charge, it should do nothing', async () => {
    await operator.stop();
    operator = startOperator(management, namespace, { operateOnReleaseImage: embeddedReleaseImage('4.21.6') });
    await management.client.delete(corev1.configmaps, { namespace, name: 'kcm-config' });
    management.requests.length = 0;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(operatorWrites(management)).toEqual([]);
  });

  it('When the release changes, it should roll the components in the order of their dependencies', async () => {
    const order: string[] = [];
    const limit = new AbortController();
    const watching = (async () => {
      const options = { namespace, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } as const;
      const events = management.client.watch(controlPlaneComponents, { ...options, signal: limit.signal });
      for await (const { object } of events) {
        const name = object.metadata.name ?? '';
        if (object.status?.version === '4.21.6' && !order.includes(name)) order.push(name);
      }
    })().catch(() => {});
    await patchSpec({ releaseImage: embeddedReleaseImage('4.21.6') });
    const hcp = await untilControlPlane(
      management.client,
      namespace,
      ({ status }) =>
        status?.controlPlaneVersion?.history?.length === 2 &&
        status.controlPlaneVersion.history[0]?.state === 'Completed',
    );
    limit.abort();
    await watching;
    expect(hcp.status?.controlPlaneVersion?.history?.map(({ version, state }) => [version, state])).toEqual([
      ['4.21.6', 'Completed'],
      ['4.20.8', 'Completed'],
    ]);
    const after = (name: string, dependency: string) => order.indexOf(name) > order.indexOf(dependency);
    expect(after('kube-apiserver', 'etcd')).toBe(true);
    expect(after('openshift-apiserver', 'kube-apiserver')).toBe(true);
    expect(after('cluster-version-operator', 'openshift-apiserver')).toBe(true);
    expect(after('dns-operator', 'openshift-apiserver')).toBe(true);
    const hosted = await hostedAdmin(management.client, namespace);
    try {
      expect((await hosted.get(corev1.namespaces, { name: 'shop' })).metadata.name).toBe('shop');
    } finally {
      await hosted.close();
    }
  });

  it.each([
    [
      'etcd',
      'EtcdWaitingForQuorum',
      /^Waiting for etcd to reach quorum: etcd: pod etcd-0 cannot be scheduled: 0\/1 nodes/,
    ],
    [
      'kube-apiserver',
      'WaitingForAvailable',
      /^Waiting for Kube APIServer deployment to become available: kube-apiserver: pod kube-apiserver-\S+ cannot be scheduled/,
    ],
  ])('When %s has nowhere to run, it should name the pod and the reason in Available', async (app, reason, message) => {
    const cordon = (unschedulable: boolean) =>
      management.client.patch(corev1.nodes, { name: 'node-1' }, { type: 'merge', body: { spec: { unschedulable } } });
    await untilControlPlane(management.client, namespace, isAvailable);
    await cordon(true);
    const { items } = await management.client.list(corev1.pods, { namespace, labelSelector: `app=${app}` });
    for (const { metadata } of items) {
      await management.client.delete(corev1.pods, { namespace, name: metadata.name ?? '' });
    }
    const down = await eventually(async () => {
      const found = await available();
      return found?.status === 'False' && found.message?.includes('cannot be scheduled') ? found : false;
    }, 'the cause');
    expect([down.reason, down.message]).toEqual([reason, expect.stringMatching(message)]);
    await cordon(false);
    await untilControlPlane(management.client, namespace, isAvailable);
  });

  it('When the published address does not answer, it should say what does not', async () => {
    await operator.stop();
    let failure: string | undefined = 'health check to APIServer endpoint 127.9.9.9 failed: connect ECONNREFUSED';
    const checks = { ...networkChecks, apiServerHealth: async () => failure };
    operator = startOperator(management, namespace, { checks });
    const hcp = await untilControlPlane(management.client, namespace, (one) => !isAvailable(one));
    expect(findCondition(hcp.status?.conditions, 'Available')).toMatchObject({
      reason: 'KASLoadBalancerNotReachable',
      message: failure,
    });
    failure = undefined;
    await untilControlPlane(management.client, namespace, isAvailable);
  });

  it('When the HostedControlPlane is deleted, it should let it go and leave nothing of it running', async () => {
    await management.client.delete(hostedControlPlanes, key);
    await eventually(
      () =>
        management.client.get(hostedControlPlanes, key).then(
          () => false as const,
          () => true,
        ),
      'the HostedControlPlane gone',
    );
    await eventually(
      async () => {
        const { items } = await management.client.list(corev1.pods, { namespace });
        return items.length === 0;
      },
      `the pods gone\n${await describeNamespace(management.client, namespace)}`,
    );
    expect(management.directory.size).toEqual({ apiServers: 0, etcdMembers: 0, etcdClusters: 0 });
  });
});
