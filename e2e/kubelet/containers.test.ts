import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { BuiltinRegistry } from '@hypershift-ts/kube-kubelet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aPod,
  hasPhase,
  hostImage,
  isReady,
  logText,
  type NodeUnderTest,
  podGone,
  podWhen,
  shell,
  startNode,
} from './harness.ts';

const stopped: string[] = [];
const builtin = new BuiltinRegistry()
  .register({
    name: 'web',
    images: ['web'],
    async run({ args, env, podIP, path, stdout, signal, pod }) {
      stdout.write(`serving ${args.join(' ')} for ${env['WHO']}\n`);
      const server = createServer((_request, response) => {
        void readFile(path('/etc/web/page'), 'utf8').then(
          (text) => response.end(text),
          () => response.writeHead(500).end(),
        );
      });
      await new Promise<void>((resolve) => server.listen(8080, podIP, resolve));
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      stopped.push(pod.metadata.name ?? '');
      await new Promise((resolve) => server.close(resolve));
    },
  })
  .register({
    name: 'thrower',
    images: ['thrower'],
    async run() {
      throw new Error('out of luck');
    },
  });

let node: NodeUnderTest;
beforeAll(async () => {
  node = await startNode({ runtimes: { builtin, process: [hostImage], exec: { anyOnPath: true } } });
});
afterAll(() => node?.stop());

const create = (pod: ReturnType<typeof aPod>) => node.client.create(corev1.pods, pod);
const remove = (name: string) => node.client.delete(corev1.pods, { namespace: 'default', name });
const statusOf = (pod: corev1.Pod, name = 'main') =>
  [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])].find(
    (one) => one.name === name,
  );

describe('builtin containers', () => {
  it('When an image is ours, it should run here with args, environment, volumes and probes', async () => {
    await node.client.create(corev1.configmaps, {
      metadata: { name: 'page', namespace: 'default' },
      data: { page: 'first' },
    });
    await create(
      aPod('web', {
        containers: [
          {
            name: 'main',
            image: 'example.org/web:v1',
            args: ['--listen=$(WHO)'],
            env: [{ name: 'WHO', value: 'everybody' }],
            readinessProbe: { httpGet: { port: 8080 }, periodSeconds: 1 },
            volumeMounts: [{ name: 'page', mountPath: '/etc/web' }],
          },
        ],
        volumes: [{ name: 'page', configMap: { name: 'page' } }],
      }),
    );
    const pod = await podWhen(node, 'web', isReady);
    expect(pod.metadata.annotations?.['hypershift-ts.io/runtime']).toBeUndefined();
    expect(await logText(node, 'web')).toBe('serving --listen=everybody for everybody\n');
    const fetched = async () => (await fetch(`http://${pod.status?.podIP}:8080/`)).text();
    expect(await fetched()).toBe('first');
    await node.client.patch(
      corev1.configmaps,
      { namespace: 'default', name: 'page' },
      { type: 'merge', body: { data: { page: 'second' } } },
    );
    await expect.poll(fetched).toBe('second');
    await remove('web');
    await podGone(node, 'web');
    expect(stopped).toEqual(['web']);
  });

  it('When a builtin program throws, the container should fail and its log should say why', async () => {
    await create(
      aPod('thrower', {
        restartPolicy: 'Never',
        containers: [{ name: 'main', image: 'thrower', terminationMessagePolicy: 'FallbackToLogsOnError' }],
      }),
    );
    const pod = await podWhen(node, 'thrower', hasPhase('Failed'));
    expect(statusOf(pod)?.state?.terminated?.message).toContain('out of luck');
  });
});

describe('order of containers', () => {
  it('When there are init containers and sidecars, they should start in order and end in the reverse', async () => {
    const write = (text: string) => `echo ${text} >> /shared/log`;
    const volumeMounts = [{ name: 'shared', mountPath: '/shared' }];
    const sidecar = (name: string) =>
      shell(`${write(`${name} up`)}; trap "${write(`${name} down`)}; exit 0" TERM; while :; do sleep 0.02; done`, {
        name,
        volumeMounts,
        restartPolicy: 'Always',
        startupProbe: { exec: { command: ['grep', '-q', `${name} up`, '/shared/log'] }, periodSeconds: 1 },
      });
    await create(
      aPod('ordered', {
        restartPolicy: 'Never',
        terminationGracePeriodSeconds: 10,
        initContainers: [shell(write('init'), { name: 'init', volumeMounts }), sidecar('one'), sidecar('two')],
        containers: [shell(`${write('main')}; sleep 0.2; cat /shared/log`, { volumeMounts })],
        volumes: [{ name: 'shared', hostPath: { path: `${node.dataDir}/ordered`, type: 'DirectoryOrCreate' } }],
      }),
    );
    const pod = await podWhen(node, 'ordered', hasPhase('Succeeded'));
    expect(await readFile(`${node.dataDir}/ordered/log`, 'utf8')).toBe(
      'init\none up\ntwo up\nmain\ntwo down\none down\n',
    );
    expect(statusOf(pod, 'init')?.state?.terminated?.reason).toBe('Completed');
    expect(pod.status?.conditions?.find(({ type }) => type === 'Initialized')?.reason).toBe('PodCompleted');
  });

  it('When an init container fails and nothing restarts it, the pod should fail without its main container', async () => {
    await create(
      aPod('bad-init', {
        restartPolicy: 'Never',
        initContainers: [shell('exit 4', { name: 'init' })],
        containers: [shell('echo no')],
      }),
    );
    const pod = await podWhen(node, 'bad-init', hasPhase('Failed'));
    expect(statusOf(pod, 'init')?.state?.terminated?.exitCode).toBe(4);
    expect(statusOf(pod)?.state?.waiting?.reason).toBe('PodInitializing');
  });
});

describe('probes and hooks', () => {
  it('When liveness fails, the container should be restarted', async () => {
    await create(
      aPod('sick', {
        containers: [
          shell('trap "exit 0" TERM; while :; do sleep 0.02; done', {
            livenessProbe: { exec: { command: ['false'] }, periodSeconds: 1, failureThreshold: 1 },
          }),
        ],
      }),
    );
    const pod = await podWhen(node, 'sick', (one) => (statusOf(one)?.restartCount ?? 0) > 0);
    expect(statusOf(pod)?.lastState?.terminated?.exitCode).toBe(0);
    await remove('sick');
    const { items } = await node.client.list(corev1.events, {
      namespace: 'default',
      fieldSelector: 'reason=Unhealthy',
    });
    expect(items.some(({ message }) => message?.startsWith('Liveness probe failed'))).toBe(true);
  });

  it('When readiness changes, the Ready condition should follow', async () => {
    await create(
      aPod('moody', {
        containers: [
          shell('while :; do sleep 0.02; done', {
            volumeMounts: [{ name: 'state', mountPath: '/state' }],
            readinessProbe: { exec: { command: ['test', '-f', '/state/ok'] }, periodSeconds: 1, failureThreshold: 1 },
            lifecycle: { postStart: { exec: { command: ['sh', '-c', 'echo started > /state/hook'] } } },
          }),
        ],
        volumes: [{ name: 'state', hostPath: { path: `${node.dataDir}/moody`, type: 'DirectoryOrCreate' } }],
      }),
    );
    const waiting = await podWhen(node, 'moody', hasPhase('Running'));
    expect(isReady(waiting)).toBe(false);
    expect(waiting.status?.conditions?.find(({ type }) => type === 'Ready')?.message).toBe(
      'containers with unready status: [main]',
    );
    expect(await readFile(`${node.dataDir}/moody/hook`, 'utf8')).toBe('started\n');
    const { writeFile, rm } = await import('node:fs/promises');
    await writeFile(`${node.dataDir}/moody/ok`, '');
    await podWhen(node, 'moody', isReady);
    await rm(`${node.dataDir}/moody/ok`);
    await podWhen(node, 'moody', (pod) => !isReady(pod));
    await remove('moody');
  });

  it('When a preStop hook is set, it should run before the container is asked to stop', async () => {
    const volumeMounts = [{ name: 'state', mountPath: '/state' }];
    await create(
      aPod('farewell', {
        terminationGracePeriodSeconds: 10,
        containers: [
          shell('trap "echo term >> /state/log; exit 0" TERM; while :; do sleep 0.02; done', {
            volumeMounts,
            lifecycle: { preStop: { exec: { command: ['sh', '-c', 'echo hook >> /state/log'] } } },
          }),
        ],
        volumes: [{ name: 'state', hostPath: { path: `${node.dataDir}/farewell`, type: 'DirectoryOrCreate' } }],
      }),
    );
    await podWhen(node, 'farewell', isReady);
    await remove('farewell');
    await podGone(node, 'farewell');
    expect(await readFile(`${node.dataDir}/farewell/log`, 'utf8')).toBe('hook\nterm\n');
  });
});

describe('when things are missing', () => {
  it('When a ConfigMap for the environment is missing, the container should wait for it', async () => {
    const env = [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'later', key: 'x' } } }];
    await create(aPod('needy', { restartPolicy: 'Never', containers: [shell('echo $X', { env })] }));
    const pod = await podWhen(
      node,
      'needy',
      (one) => statusOf(one)?.state?.waiting?.reason === 'CreateContainerConfigError',
    );
    expect(statusOf(pod)?.state?.waiting?.message).toBe('configmap "later" not found');
    await node.client.create(corev1.configmaps, {
      metadata: { name: 'later', namespace: 'default' },
      data: { x: 'here' },
    });
    await podWhen(node, 'needy', hasPhase('Succeeded'));
    expect(await logText(node, 'needy')).toBe('here\n');
  });

  it('When a Secret for a volume is missing, the pod should stay in ContainerCreating until it comes', async () => {
    const volumes = [{ name: 's', secret: { secretName: 'later', defaultMode: 0o400 } }];
    const volumeMounts = [{ name: 's', mountPath: '/secrets' }];
    await create(
      aPod('patient', { restartPolicy: 'Never', containers: [shell('cat /secrets/k', { volumeMounts })], volumes }),
    );
    const pod = await podWhen(node, 'patient', (one) => one.status?.startTime !== undefined);
    expect(statusOf(pod)?.state?.waiting?.reason).toBe('ContainerCreating');
    await node.client.create(corev1.secrets, {
      metadata: { name: 'later', namespace: 'default' },
      stringData: { k: 'hush' },
    });
    await podWhen(node, 'patient', hasPhase('Succeeded'));
    expect(await logText(node, 'patient')).toBe('hush');
  });

  it('When the program does not exist, the container should end with StartError', async () => {
    await create(
      aPod('lost', {
        restartPolicy: 'Never',
        containers: [{ name: 'main', image: 'host', command: ['no-such-program'] }],
      }),
    );
    const pod = await podWhen(node, 'lost', hasPhase('Failed'));
    expect(statusOf(pod)?.state?.terminated).toMatchObject({ exitCode: 128, reason: 'StartError' });
  });

  it('When a pod runs longer than its deadline, it should fail with DeadlineExceeded', async () => {
    await create(aPod('late', { activeDeadlineSeconds: 1, containers: [shell('while :; do sleep 0.02; done')] }));
    const pod = await podWhen(node, 'late', hasPhase('Failed'));
    expect(pod.status?.reason).toBe('DeadlineExceeded');
    await podWhen(node, 'late', (one) => statusOf(one)?.state?.terminated !== undefined);
  });
});
