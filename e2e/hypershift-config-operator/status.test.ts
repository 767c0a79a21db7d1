import { openshift } from '@hypershift-ts/hypershift-api';
import { runClusterVersionOperator } from '@hypershift-ts/hypershift-config-operator';
import { EmbeddedCatalogue, embeddedReleaseImage } from '@hypershift-ts/hypershift-release';
import {
  admissionregistrationv1,
  corev1,
  findCondition,
  formatTime,
  isNotFound,
  systemClock,
} from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMachine } from './cluster.ts';
import { eventually, image, key, namespace, startTwoClusters, type TwoClusters, version } from './harness.ts';

let test: TwoClusters;
let stop: () => Promise<void>;
const condition = async (type: string) => findCondition((await test.controlPlane()).status?.conditions, type);

/** A version operator of a release; the answer stops it. */
function versionOperator(release: string, name: string, pod: string): () => Promise<void> {
  const stopper = new AbortController();
  const running = runClusterVersionOperator({
    hostedClient: test.guest,
    releaseImage: name,
    version: release,
    identity: pod,
    signal: stopper.signal,
  });
  return async () => {
    stopper.abort();
    await running;
  };
}

beforeAll(async () => {
  test = await startTwoClusters();
  stop = test.run();
}, 60_000);
afterAll(async () => {
  await stop?.();
  await test?.stop();
});

describe('what the control plane shows of its hosted cluster', () => {
  it('When the version operator has not reported, it should say that nothing is known', async () => {
    await eventually(async () => {
      expect(await condition('ClusterVersionAvailable')).toMatchObject({
        status: 'Unknown',
        reason: 'StatusUnknown',
        message: 'Condition not found in the CVO.',
      });
      expect(await condition('ClusterVersionUpgradeable')).toMatchObject({
        status: 'True',
        reason: 'FromClusterVersion',
      });
    });
  });

  it('When operators report the release, history should complete, and a next release should come before it', async () => {
    const stopFirst = versionOperator(version, image, 'cvo-1');
    await eventually(async () => {
      const { versionStatus, version: deprecated } = (await test.controlPlane()).status!;
      expect(versionStatus).toMatchObject({ desired: { version, image }, availableUpdates: null });
      expect(versionStatus?.history).toMatchObject([{ state: 'Completed', version, image, verified: false }]);
      expect(deprecated).toBe(version);
      expect((await condition('ClusterVersionAvailable'))?.status).toBe('True');
      expect((await condition('ClusterVersionProgressing'))?.status).toBe('False');
      expect((await condition('ClusterVersionFailing'))?.status).toBe('False');
      expect((await condition('ClusterVersionReleaseAccepted'))?.message).toContain('no manifests to apply');
    });
    const next = new EmbeddedCatalogue().versions.find((one) => one !== version)!;
    const nextImage = embeddedReleaseImage(next);
    // The next one waits for the lease of the first, as while a Deployment rolls.
    const stopSecond = versionOperator(next, nextImage, 'cvo-2');
    await stopFirst();
    await eventually(async () => {
      const { versionStatus } = (await test.controlPlane()).status!;
      expect(versionStatus?.history?.map(({ state, version: of }) => [state, of])).toEqual([
        ['Partial', next],
        ['Completed', version],
      ]);
      expect((await condition('ClusterVersionProgressing'))?.message).toContain('waiting on kube-apiserver');
    });
    await test.client.patch(hostedControlPlanes, key, { type: 'merge', body: { spec: { releaseImage: nextImage } } });
    await eventually(async () => {
      const { versionStatus } = (await test.controlPlane()).status!;
      expect(versionStatus?.history?.[0]).toMatchObject({ state: 'Completed', version: next });
    });
    await stopSecond();
  });

  it('When an operator degrades, the control plane should show that and why', async () => {
    const stopThird = versionOperator(version, image, 'cvo-3');
    const status = {
      conditions: [
        { type: 'Available', status: 'True', lastTransitionTime: formatTime(0) },
        { type: 'Degraded', status: 'True', message: 'no route to host', lastTransitionTime: formatTime(0) },
      ],
    };
    await test.guest.create(openshift.clusterOperators, { metadata: { name: 'ingress' }, spec: {} });
    await test.guest.patch(
      openshift.clusterOperators,
      { name: 'ingress' },
      { type: 'merge', body: { status } },
      {
        subresource: 'status',
      },
    );
    await eventually(async () => {
      expect(await condition('ClusterVersionFailing')).toMatchObject({
        status: 'True',
        message: 'Cluster operator ingress is degraded: no route to host',
      });
    });
    await test.guest.delete(openshift.clusterOperators, { name: 'ingress' });
    await stopThird();
  });

  it('When nodes come, it should count them and look for the connections', async () => {
    await eventually(async () => {
      expect(await condition('DataPlaneConnectionAvailable')).toMatchObject({
        status: 'Unknown',
        reason: 'NoWorkerNodesAvailable',
      });
    });
    await addMachine(test, 'worker-0', {
      annotations: { 'hypershift.openshift.io/nodePoolTaints': '[{"key":"gpu","value":"yes","effect":"NoSchedule"}]' },
      labels: { 'managed.hypershift.openshift.io.team': 'a' },
    });
    await eventually(async () => {
      expect((await test.controlPlane()).status?.nodeCount).toBe(1);
      expect(await condition('DataPlaneConnectionAvailable')).toMatchObject({
        status: 'False',
        reason: 'KonnectivityAgentPodsNotFound',
      });
      expect(await condition('ControlPlaneConnectionAvailable')).toMatchObject({
        status: 'False',
        reason: 'KASAccessFailed',
      });
    });
    const check = { namespace: 'kube-system', name: 'control-plane-connectivity-check' };
    const data = { lastSucceeded: formatTime(systemClock.now()) };
    await test.guest.patch(corev1.configmaps, check, { type: 'merge', body: { data } });
    await eventually(async () => {
      expect((await condition('ControlPlaneConnectionAvailable'))?.status).toBe('True');
    });
  });

  it('When a pool has labels and taints, its nodes should get them, and later changes too', async () => {
    const node = () => test.guest.get(corev1.nodes, { name: 'worker-0' });
    await eventually(async () => {
      const { metadata, spec } = await node();
      expect(metadata.labels).toMatchObject({ team: 'a', 'hypershift.openshift.io/nodePool': 'workers' });
      expect(metadata.annotations?.['hypershift.openshift.io/labelsSynced']).toBe('true');
      expect(spec?.taints).toContainEqual({ key: 'gpu', value: 'yes', effect: 'NoSchedule' });
    });
    const body = {
      metadata: {
        labels: { 'managed.hypershift.openshift.io.team': null, 'managed.hypershift.openshift.io.zone': 'b' },
        annotations: { 'hypershift.openshift.io/nodePoolTaints': 'null' },
      },
    };
    await test.client.patch(capiv1beta1.machines, { namespace, name: 'worker-0' }, { type: 'merge', body });
    await eventually(async () => {
      const { metadata, spec } = await node();
      expect(metadata.labels?.['zone']).toBe('b');
      expect(metadata.labels?.['team']).toBeUndefined();
      expect(spec?.taints?.some((taint) => taint.key === 'gpu')).not.toBe(true);
    });
  });

  it('When the hosted cluster makes certificate authorities, its control plane should get them', async () => {
    await test.guest.create(corev1.configmaps, {
      metadata: { namespace: 'openshift-config-managed', name: 'service-ca' },
      data: { 'ca-bundle.crt': 'service CA' },
    });
    await eventually(async () => {
      const copy = await test.client.get(corev1.configmaps, { namespace, name: 'service-ca' });
      expect(copy.data).toEqual({ 'service-ca.crt': 'service CA' });
    });
  });

  it('When users configure builds inside the cluster, its control plane should see it', async () => {
    const spec = { buildDefaults: { env: [{ name: 'A', value: 'b' }] } };
    await test.guest.create(openshift.builds, { metadata: { name: 'cluster' }, spec });
    await eventually(async () => {
      const copy = await test.client.get(corev1.configmaps, { namespace, name: 'observed-config-build' });
      expect(copy.data?.['config']).toContain('kind: Build');
      expect(copy.data?.['config']).toContain('name: A');
    });
  });

  it('When a webhook of a user points into the control plane, it should be removed', async () => {
    await test.client.create(corev1.services, {
      metadata: { namespace, name: 'etcd-client' },
      spec: { ports: [{ port: 2379 }] },
    });
    const configuration = (name: string, url: string) =>
      test.guest.create(admissionregistrationv1.validatingwebhookconfigurations, {
        metadata: { name },
        webhooks: [
          {
            name: 'a.example.com',
            admissionReviewVersions: ['v1'],
            sideEffects: 'None',
            failurePolicy: 'Ignore',
            clientConfig: { url },
            rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['events'], operations: ['CREATE'] }],
          },
        ],
      } as never);
    await configuration('honest', 'https://etcd-client.example.com/hook');
    await configuration('forbidden', `https://etcd-client.${namespace}.svc:2379/hook`);
    await eventually(async () => {
      await expect(
        test.guest.get(admissionregistrationv1.validatingwebhookconfigurations, { name: 'forbidden' }),
      ).rejects.toSatisfy(isNotFound);
    });
    await test.guest.get(admissionregistrationv1.validatingwebhookconfigurations, { name: 'honest' });
  });
});
