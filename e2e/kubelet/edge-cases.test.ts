import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { execInPod } from '@hypershift-ts/kube-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aPod,
  hasPhase,
  hostImage,
  isReady,
  type NodeUnderTest,
  podGone,
  podWhen,
  shell,
  startNode,
} from './harness.ts';

describe('pods in unusual situations', () => {
  let node: NodeUnderTest;
  beforeAll(async () => {
    node = await startNode({ runtimes: { process: [hostImage], simulated: false } });
  });
  afterAll(() => node?.stop());
  const create = (pod: ReturnType<typeof aPod>) => node.client.create(corev1.pods, pod);
  const remove = (name: string, gracePeriodSeconds?: number) =>
    node.client.delete(
      corev1.pods,
      { namespace: 'default', name },
      gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds },
    );

  it('When nothing can run the image and simulation is off, it should fail as an image that cannot be pulled', async () => {
    await create(aPod('no-image'));
    const pod = await podWhen(
      node,
      'no-image',
      (one) => one.status?.containerStatuses?.[0]?.state?.waiting?.reason === 'ErrImagePull',
    );
    expect(pod.status?.phase).toBe('Pending');
    await remove('no-image');
    await podGone(node, 'no-image');
  });

  it('When a container leaves a message, its status should carry it', async () => {
    await create(
      aPod('message', {
        restartPolicy: 'Never',
        containers: [shell('printf "disk is full" > /dev/termination-log; exit 1')],
      }),
    );
    const pod = await podWhen(node, 'message', hasPhase('Failed'));
    expect(pod.status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({
      exitCode: 1,
      message: 'disk is full',
    });
  });

  it('When somebody attaches, they should see what the container says and be able to answer', async () => {
    await create(
      aPod('parrot', {
        restartPolicy: 'Never',
        containers: [shell('read line; echo "you said $line"', { stdin: true })],
      }),
    );
    await podWhen(node, 'parrot', isReady);
    let output = '';
    const result = await execInPod(
      node.client,
      { namespace: 'default', name: 'parrot' },
      {
        stdin: (async function* () {
          yield 'hello\n';
        })(),
        onStdout: (data) => {
          output += data.toString();
        },
      },
    );
    expect(result.exitCode).toBe(0);
    expect(output).toBe('you said hello\n');
    await podWhen(node, 'parrot', hasPhase('Succeeded'));
  });

  it('When a deletion becomes urgent, the grace period should get shorter', async () => {
    const script = 'trap "" TERM; while :; do sleep 0.02; done';
    await create(aPod('slow', { terminationGracePeriodSeconds: 60, containers: [shell(script)] }));
    await podWhen(node, 'slow', isReady);
    await remove('slow');
    await new Promise((resolve) => setTimeout(resolve, 100));
    const began = Date.now();
    await remove('slow', 1);
    await podGone(node, 'slow', 10_000);
    expect(Date.now() - began).toBeLessThan(9_000);
  });

  it('When a pod is forced away, its processes should be gone soon after', async () => {
    await create(
      aPod('forced', {
        terminationGracePeriodSeconds: 60,
        containers: [shell('trap "" TERM; while :; do sleep 0.02; done')],
      }),
    );
    await podWhen(node, 'forced', isReady);
    await remove('forced', 0);
    await podGone(node, 'forced');
    await expect
      .poll(() => [...node.kubelet.workers.all()].some(({ pod }) => pod.metadata.name === 'forced'), { timeout: 5000 })
      .toBe(false);
  });

  it('When a command for exec does not exist or the pod has ended, the answer should say so', async () => {
    await create(aPod('ended', { restartPolicy: 'Never', containers: [shell('true')] }));
    await podWhen(node, 'ended', hasPhase('Succeeded'));
    const run = (name: string, ...command: string[]) =>
      execInPod(node.client, { namespace: 'default', name }, { command });
    await expect(run('ended', 'true')).rejects.toThrow(/container main is not running/);
    await create(aPod('alive', { containers: [shell('while :; do sleep 0.05; done')] }));
    await podWhen(node, 'alive', isReady);
    await expect(run('alive', 'no-such-program')).rejects.toThrow(/executable file not found/);
    await remove('alive', 0);
  });
});
