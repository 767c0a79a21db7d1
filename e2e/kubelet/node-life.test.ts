import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { streamLogs } from '@hypershift-ts/kube-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aPod, hasPhase, isReady, logText, type NodeUnderTest, podGone, podWhen, shell, startNode } from './harness.ts';

const run = promisify(execFile);
let node: NodeUnderTest;
beforeAll(async () => {
  node = await startNode();
});
afterAll(() => node?.stop());

const create = (pod: ReturnType<typeof aPod>) => node.client.create(corev1.pods, pod);
const forever = 'trap "exit 0" TERM; while :; do sleep 0.02; done';
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('a kubelet that stops and comes back', () => {
  it('When it restarts, processes should be restarted once and simulated pods go on untouched', async () => {
    await create(aPod('real', { containers: [shell(`echo $$$$; ${forever}`)] }));
    await create(aPod('sim'));
    await create(aPod('done', { restartPolicy: 'Never', containers: [shell('echo kept')] }));
    await podWhen(node, 'real', isReady);
    const simulated = await podWhen(node, 'sim', isReady);
    await podWhen(node, 'done', hasPhase('Succeeded'));
    await expect.poll(() => logText(node, 'real')).not.toBe('');
    const pid = Number(await logText(node, 'real'));
    expect(isAlive(pid)).toBe(true);
    await node.restartKubelet();
    expect(isAlive(pid)).toBe(false);
    const real = await podWhen(
      node,
      'real',
      (pod) => isReady(pod) && pod.status?.containerStatuses?.[0]?.restartCount === 1,
    );
    expect(real.status?.containerStatuses?.[0]?.lastState?.terminated).toMatchObject({
      exitCode: 255,
      reason: 'Unknown',
    });
    expect(Number(await logText(node, 'real', '?previous=true'))).toBe(pid);
    const after = await node.client.get(corev1.pods, { namespace: 'default', name: 'sim' });
    expect(after.status).toEqual(simulated.status);
    expect(await logText(node, 'done')).toBe('kept\n');
  });

  it('When a pod is gone from the API while nobody looked, its directories should go too', async () => {
    await create(aPod('brief', { containers: [shell(forever)] }));
    const pod = await podWhen(node, 'brief', isReady);
    const uid = pod.metadata.uid ?? '';
    expect(await readdir(join(node.dataDir, 'pods'))).toContain(uid);
    await node.kubelet.stop();
    await node.client.delete(corev1.pods, { namespace: 'default', name: 'brief' }, { gracePeriodSeconds: 0 });
    await node.restartKubelet();
    await expect.poll(() => readdir(join(node.dataDir, 'pods'))).not.toContain(uid);
    await expect.poll(async () => (await readdir(join(node.dataDir, 'logs'))).join()).not.toContain(uid);
  });
});

describe('logs', () => {
  it('When a log is followed, lines should arrive as they are written until the container ends', async () => {
    const volumes = [{ name: 'd', hostPath: { path: node.dataDir } }];
    const volumeMounts = [{ name: 'd', mountPath: '/d' }];
    const script = 'echo one; while [ ! -f /d/go ]; do sleep 0.02; done; echo two';
    await create(aPod('talker', { restartPolicy: 'Never', volumes, containers: [shell(script, { volumeMounts })] }));
    await podWhen(node, 'talker', isReady);
    let text = '';
    for await (const chunk of streamLogs(node.client, { namespace: 'default', name: 'talker' }, { follow: true })) {
      text += chunk.toString();
      if (text === 'one\n') await writeFile(join(node.dataDir, 'go'), '');
    }
    expect(text).toBe('one\ntwo\n');
  });

  it('When a container has not started, asking for its log should say why', async () => {
    await create(aPod('waiting', { volumes: [{ name: 'x', configMap: { name: 'nowhere' } }] }));
    await podWhen(node, 'waiting', (pod) => pod.status?.startTime !== undefined);
    await expect(logText(node, 'waiting')).rejects.toThrow(
      'container "main" in pod "waiting" is waiting to start: ContainerCreating',
    );
    await node.client.delete(corev1.pods, { namespace: 'default', name: 'waiting' });
    await podGone(node, 'waiting');
  });
});

describe('volumes', () => {
  it('When everything is projected into one volume, the container should find token, fields and files', async () => {
    await node.client.create(corev1.configmaps, {
      metadata: { name: 'cm', namespace: 'default' },
      data: { a: '1', b: '2' },
    });
    await create(
      aPod('projected', {
        restartPolicy: 'Never',
        metadata: { labels: { app: 'web' } },
        containers: [
          shell('cd /p; head -c 3 token; echo; cat labels sub/b cpu; echo; ls; readlink a', {
            volumeMounts: [{ name: 'p', mountPath: '/p' }],
            resources: { limits: { cpu: '1500m' } },
          }),
        ],
        volumes: [
          {
            name: 'p',
            projected: {
              sources: [
                { serviceAccountToken: { path: 'token', expirationSeconds: 600 } },
                {
                  configMap: {
                    name: 'cm',
                    items: [
                      { key: 'a', path: 'a' },
                      { key: 'b', path: 'sub/b' },
                    ],
                  },
                },
                {
                  downwardAPI: {
                    items: [
                      { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
                      { path: 'cpu', resourceFieldRef: { containerName: 'main', resource: 'limits.cpu' } },
                    ],
                  },
                },
              ],
            },
          },
        ],
      }),
    );
    await podWhen(node, 'projected', hasPhase('Succeeded'));
    expect(await logText(node, 'projected')).toBe('eyJ\napp="web"22\na\ncpu\nlabels\nsub\ntoken\n..data/a\n');
  });

  it('When labels change, the downward API file should follow; emptyDir should be shared', async () => {
    const mounts = [
      { name: 'info', mountPath: '/info' },
      { name: 'tmp', mountPath: '/scratch', subPath: 'deep' },
    ];
    await create(
      aPod('live', {
        metadata: { labels: { step: 'one' } },
        containers: [
          shell('while ! grep -q two /info/step; do sleep 0.02; done; echo seen > /scratch/x', {
            volumeMounts: mounts,
            name: 'a',
          }),
          shell('while [ ! -f /t/deep/x ]; do sleep 0.02; done; cat /t/deep/x; sleep 5', {
            volumeMounts: [{ name: 'tmp', mountPath: '/t' }],
            name: 'b',
          }),
        ],
        volumes: [
          {
            name: 'info',
            downwardAPI: { items: [{ path: 'step', fieldRef: { fieldPath: "metadata.labels['step']" } }] },
          },
          { name: 'tmp', emptyDir: { medium: 'Memory' } },
        ],
      }),
    );
    await podWhen(node, 'live', hasPhase('Running'));
    await node.client.patch(
      corev1.pods,
      { namespace: 'default', name: 'live' },
      { type: 'merge', body: { metadata: { labels: { step: 'two' } } } },
    );
    await expect.poll(() => logText(node, 'live', '?container=b').catch(() => '')).toBe('seen\n');
    await node.client.delete(corev1.pods, { namespace: 'default', name: 'live' }, { gracePeriodSeconds: 0 });
  });
});

describe('kubectl', () => {
  it('When kubectl asks for logs and exec, it should get them', async () => {
    const kubectl = await run('kubectl', ['version', '--client']).catch(() => undefined);
    if (!kubectl) {
      process.stderr.write('skipped: no kubectl on this machine\n');
      return;
    }
    const config = join(node.dataDir, 'kubeconfig');
    await writeFile(config, node.cluster.adminKubeconfig(), { mode: 0o600 });
    await create(aPod('k', { containers: [shell(`echo hello; ${forever}`)] }));
    await podWhen(node, 'k', isReady);
    await expect.poll(() => logText(node, 'k')).toBe('hello\n');
    const ask = (...args: string[]) =>
      run('kubectl', ['--kubeconfig', config, '--cache-dir', join(node.dataDir, 'cache'), ...args]);
    expect((await ask('logs', 'k')).stdout).toBe('hello\n');
    expect((await ask('exec', 'k', '--', 'sh', '-c', 'echo from exec')).stdout).toBe('from exec\n');
    await expect(ask('exec', 'k', '--', 'sh', '-c', 'exit 9')).rejects.toMatchObject({ code: 9 });
    expect((await ask('get', 'pod', 'k')).stdout).toContain('1/1     Running');
    expect((await ask('get', 'nodes')).stdout).toMatch(/node-a +Ready/);
    await ask('delete', 'pod', 'k', '--wait');
  });
});
