import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { execInPod } from '@hypershift-ts/kube-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aPod, hasPhase, isReady, logText, type NodeUnderTest, podGone, podWhen, shell, startNode } from './harness.ts';

let node: NodeUnderTest;
beforeAll(async () => {
  node = await startNode();
});
afterAll(() => node?.stop());

const create = (pod: ReturnType<typeof aPod>) => node.client.create(corev1.pods, pod);

describe('the node', () => {
  it('When the kubelet starts, it should register a ready node with a lease', async () => {
    const found = await node.client.get(corev1.nodes, { name: 'node-a' });
    expect(found.status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True');
    expect(found.metadata.labels?.['kubernetes.io/hostname']).toBe('node-a');
    expect(found.status?.daemonEndpoints?.kubeletEndpoint?.Port).toBeGreaterThan(0);
    const lease = await node.client.raw('GET', '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/node-a');
    expect(JSON.parse(lease.body).spec.holderIdentity).toBe('node-a');
  });
});

describe('simulated pods', () => {
  it('When nothing can run the image, it should be ready and say that it is simulated', async () => {
    await create(
      aPod('sim', {
        containers: [{ name: 'main', image: 'example.org/app:v1', readinessProbe: { httpGet: { port: 80 } } }],
      }),
    );
    const pod = await podWhen(node, 'sim', isReady);
    expect(pod.metadata.annotations?.['hypershift-ts.io/runtime']).toBe('simulated');
    expect(pod.status?.podIP).toMatch(/^127\./);
    expect(pod.status?.containerStatuses?.[0]).toMatchObject({ ready: true, started: true, restartCount: 0 });
    expect(await logText(node, 'sim')).toContain('simulated');
    await node.client.delete(corev1.pods, { namespace: 'default', name: 'sim' });
    await podGone(node, 'sim');
  });

  it('When the pod is meant to end, it should succeed after its time or fail as annotated', async () => {
    await create(aPod('sim-job', { restartPolicy: 'Never' }));
    await create(
      aPod('sim-fail', {
        restartPolicy: 'Never',
        metadata: {
          annotations: {
            'hypershift-ts.io/simulated-exit-code': '3',
            'hypershift-ts.io/simulated-runtime-seconds': '0',
          },
        },
      }),
    );
    await podWhen(node, 'sim-job', hasPhase('Succeeded'));
    const failed = await podWhen(node, 'sim-fail', hasPhase('Failed'));
    expect(failed.status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode: 3, reason: 'Error' });
  });
});

describe('process pods', () => {
  it('When a script runs, its output should be its log and its end the pod phase', async () => {
    await create(aPod('hello', { restartPolicy: 'Never', containers: [shell('echo one; echo two >&2; echo three')] }));
    const pod = await podWhen(node, 'hello', hasPhase('Succeeded'));
    expect(pod.status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode: 0, reason: 'Completed' });
    expect(pod.metadata.annotations?.['hypershift-ts.io/runtime']).toBeUndefined();
    expect((await logText(node, 'hello')).split('\n').sort()).toEqual(['', 'one', 'three', 'two']);
    expect(await logText(node, 'hello', '?tailLines=1')).toMatch(/^(three|two)\n$/);
    expect(await logText(node, 'hello', '?timestamps=true&limitBytes=30')).toMatch(/^\d{4}-\d\d-\d\dT.*Z/);
  });

  it('When a container fails again and again, it should back off and keep the previous log', async () => {
    await create(aPod('crash', { containers: [shell('echo run; exit 7')] }));
    const pod = await podWhen(
      node,
      'crash',
      (one) => one.status?.containerStatuses?.[0]?.state?.waiting?.reason === 'CrashLoopBackOff',
    );
    const status = pod.status?.containerStatuses?.[0];
    expect(status?.restartCount).toBe(1);
    expect(status?.lastState?.terminated).toMatchObject({ exitCode: 7, reason: 'Error' });
    expect(status?.state?.waiting?.message).toBe(
      `back-off 10s restarting failed container=main pod=crash_default(${pod.metadata.uid})`,
    );
    expect(pod.status?.phase).toBe('Running');
    expect(await logText(node, 'crash', '?previous=true')).toBe('run\n');
    await node.client.delete(corev1.pods, { namespace: 'default', name: 'crash' });
    await podGone(node, 'crash');
  });

  it('When a pod is deleted, it should get SIGTERM and be gone after it stopped', async () => {
    await create(
      aPod('polite', {
        terminationGracePeriodSeconds: 20,
        containers: [shell('trap "echo bye; exit 0" TERM; echo up; while :; do sleep 0.05; done')],
      }),
    );
    await podWhen(node, 'polite', isReady);
    await expect.poll(() => logText(node, 'polite')).toBe('up\n');
    const began = Date.now();
    await node.client.delete(corev1.pods, { namespace: 'default', name: 'polite' });
    await podGone(node, 'polite');
    expect(Date.now() - began).toBeLessThan(5_000);
  });

  it('When a container ignores SIGTERM, it should be killed when its grace period is over', async () => {
    await create(
      aPod('stubborn', {
        terminationGracePeriodSeconds: 1,
        containers: [shell('trap "" TERM; while :; do sleep 0.05; done')],
      }),
    );
    await podWhen(node, 'stubborn', isReady);
    const began = Date.now();
    await node.client.delete(corev1.pods, { namespace: 'default', name: 'stubborn' });
    await podGone(node, 'stubborn');
    expect(Date.now() - began).toBeGreaterThan(900);
  });

  it('When a command is run in a container, it should see its environment and give its exit code', async () => {
    await create(
      aPod('shell', {
        containers: [shell('while :; do sleep 0.05; done', { env: [{ name: 'COLOUR', value: 'blue' }] })],
      }),
    );
    await podWhen(node, 'shell', isReady);
    const output: string[] = [];
    const result = await execInPod(
      node.client,
      { namespace: 'default', name: 'shell' },
      {
        command: ['sh', '-c', 'echo $COLOUR; cat; exit 5'],
        stdin: (async function* () {
          yield 'from afar';
        })(),
        onStdout: (data) => output.push(data.toString()),
      },
    );
    expect(result.exitCode).toBe(5);
    expect(output.join('')).toBe('blue\nfrom afar');
    await node.client.delete(corev1.pods, { namespace: 'default', name: 'shell' });
  });
});
