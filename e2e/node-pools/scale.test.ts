import { hostedClusters } from '@hypershift-ts/hypershift-api';
import { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import type { HttpClient } from '@hypershift-ts/kube-client';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, namespace, Product, readyNodes } from './harness.ts';

describe('a pool that scales by its pods', () => {
  let product: Product;
  let hosted: HttpClient;
  /** Sizes the MachineDeployment was asked for, in order. */
  const sizes: number[] = [];
  const watching = new AbortController();

  beforeAll(async () => {
    product = await Product.start({ flags: { nodePoolReplicas: 2 } });
    hosted = await product.hosted();
    void follow();
    await product.patchPool({ replicas: null, autoScaling: { min: 1, max: 4 } });
  }, 180_000);
  afterAll(async () => {
    watching.abort();
    await hosted?.close();
    await product?.stop();
  }, 60_000);

  const follow = async () => {
    const options = { namespace: product.controlPlane, sendInitialEvents: true, signal: watching.signal } as const;
    const events = product.client.watch(capi.machinedeployments, { ...options, resourceVersionMatch: 'NotOlderThan' });
    for await (const { type, object } of events)
      if (type !== 'BOOKMARK' && sizes.at(-1) !== object.spec.replicas) sizes.push(object.spec.replicas ?? 0);
  };
  const autoscalerLog = async (): Promise<string> => {
    const pods = await product.inControlPlane(corev1.pods);
    const pod = pods.find(({ metadata }) => metadata.labels?.['app'] === 'cluster-autoscaler')?.metadata.name;
    const path = `/api/v1/namespaces/${product.controlPlane}/pods/${pod}/log?container=cluster-autoscaler`;
    return (await product.client.raw('GET', path)).body;
  };

  it('When pods wait for room, it should grow to its bound and not beyond, and say why not', async () => {
    await hosted.create(appsv1.deployments, pausing('web', 6, '800m'));
    await eventually(async () => expect(await readyNodes(hosted)).toHaveLength(4));
    await eventually(async () => {
      const { items } = await hosted.list(corev1.events, { namespace: 'default' });
      const helpless = items.filter(({ reason }) => reason === 'NotTriggerScaleUp').map(({ message }) => message);
      expect(helpless).toContain(
        "pod didn't trigger scale-up: MachineDeployment/demo: max node group size reached (4)",
      );
      expect(items.some(({ reason }) => reason === 'TriggeredScaleUp')).toBe(true);
    });
    expect(Math.max(...sizes)).toBe(4);
    expect(await product.poolCondition('AutoscalingEnabled')).toMatchObject({
      status: 'True',
      message: 'Maximum nodes: 4, Minimum nodes: 1',
    });
    await eventually(async () => expect((await product.pool()).status?.replicas).toBe(4));
  }, 120_000);

  it('When a pod is larger than any node would be, it should say so instead of making nodes', async () => {
    await hosted.create(appsv1.deployments, pausing('giant', 1, '64'));
    await eventually(async () => {
      const { items } = await hosted.list(corev1.events, { namespace: 'default' });
      const giant = items.find(
        ({ reason, involvedObject }) => reason === 'NotTriggerScaleUp' && involvedObject.name?.startsWith('giant'),
      );
      expect(giant?.message).toMatch(
        /MachineDeployment\/demo: a new node would not take it \(Insufficient cpu; it would/,
      );
    });
    expect(await autoscalerLog()).toMatch(/scaling MachineDeployment\/demo \(1 to 4\)[\s\S]*default\/giant-/);
    await hosted.delete(appsv1.deployments, { namespace: 'default', name: 'giant' });
  }, 60_000);

  it('When nodes idle, they should be drained and go, down to the smallest size', async () => {
    const autoscaling = { scaleDown: { unneededDurationSeconds: 1, delayAfterAddSeconds: 1 } };
    const key = { namespace, name: product.name };
    await product.client.patch(hostedClusters, key, { type: 'merge', body: { spec: { autoscaling } } });
    await hosted.delete(appsv1.deployments, { namespace: 'default', name: 'web' });
    // Pods of the system are no reason to stay: those that tell of the connection move, daemons go with their node.
    await eventually(async () => expect((await hosted.list(corev1.nodes)).items).toHaveLength(1), 60_000);
    await eventually(async () => expect(await product.machines()).toHaveLength(1));
    expect(Math.min(...sizes)).toBe(1);
    const [left] = await readyNodes(hosted);
    await eventually(async () => {
      const { items } = await hosted.list(corev1.pods, { namespace: 'kube-system', labelSelector: checkers });
      const running = items.filter(({ status }) => status?.phase === 'Running');
      expect(running.map(({ spec }) => spec.nodeName)).toEqual([left, left, left]);
    });
  }, 120_000);
});

const checkers = 'app=kas-connection-checker';

const pausing = (name: string, replicas: number, cpu: string) => ({
  metadata: { name, namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'main', image: 'pause', resources: { requests: { cpu } } }],
      },
    },
  },
});
