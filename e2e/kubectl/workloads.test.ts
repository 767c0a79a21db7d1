import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';
import { findKubectls, Kubectl } from '../harness/kubectl.ts';

/** A program of this machine stands in for the image `tools`. */
const tools = { images: ['tools'], anyOnPath: true };

function workload(kind: 'Deployment' | 'StatefulSet', name: string, script: string, replicas = 1): string {
  const selector = { app: name };
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind,
    metadata: { name },
    spec: {
      replicas,
      ...(kind === 'StatefulSet' ? { serviceName: name } : {}),
      selector: { matchLabels: selector },
      template: {
        metadata: { labels: selector },
        spec: {
          terminationGracePeriodSeconds: 1,
          containers: [{ name: 'main', image: 'tools', command: ['sh', '-c', script] }],
        },
      },
    },
  });
}

const kubectls = findKubectls();

describe.skipIf(kubectls.length === 0).each(kubectls)('$name with workloads', ({ path, name }) => {
  let test: TestCluster;
  let kubectl: Kubectl;
  // Older kubectls speak SPDY only, which the kubelet does not.
  const speaksWebSocket = Number(/(\d+)$/.exec(name)?.[1] ?? 99) >= 30;

  beforeAll(async () => {
    test = await startTestCluster({ controllers: true, nodes: [{ name: 'node-1', runtimes: { process: [tools] } }] });
    kubectl = new Kubectl(path, test.cluster.adminKubeconfig());
  });
  afterAll(async () => {
    kubectl.dispose();
    await test.stop();
  });

  it('When a deployment is applied, it should roll out, print logs, scale and roll on', async () => {
    await kubectl.ok('apply -f -', workload('Deployment', 'web', 'echo hello from $HOSTNAME; sleep 1000'));
    await kubectl.ok('rollout status deploy/web --timeout=30s');
    await expect.poll(() => kubectl.ok('logs deploy/web'), { timeout: 10_000 }).toMatch(/hello from /);
    await kubectl.ok('scale deploy/web --replicas=3');
    await kubectl.ok('wait --for=jsonpath={.status.readyReplicas}=3 deploy/web --timeout=30s');
    expect(await kubectl.ok('get deploy web')).toMatch(/web\s+3\/3\s+3\s+3/);
    await kubectl.ok('apply -f -', workload('Deployment', 'web', 'echo second; sleep 1000', 2));
    await kubectl.ok('rollout status deploy/web --timeout=30s');
    expect(await kubectl.ok('rollout history deploy/web')).toMatch(/REVISION[\s\S]*1[\s\S]*2/);
    expect(await kubectl.ok('get pods -l app=web -o jsonpath={.items[*].status.phase}')).toContain('Running Running');
    expect(await kubectl.ok('get nodes')).toMatch(/node-1\s+Ready/);
  });

  it.skipIf(!speaksWebSocket)(
    'When a command is run in a pod, it should bring back its output and its exit code',
    async () => {
      const pod = (await kubectl.ok('get pods -l app=web -o name')).split('\n')[0]!;
      expect(await kubectl.ok(['exec', pod, '--', 'sh', '-c', 'echo out; cat', '--'], 'from stdin')).toContain('out');
      expect(await kubectl.ok(['exec', '-i', pod, '--', 'cat'], 'from stdin')).toBe('from stdin');
      const failed = await kubectl.run(['exec', pod, '--', 'sh', '-c', 'exit 3']);
      expect(failed.code).toBe(3);
    },
  );

  it('When deleted with the three cascades, it should take dependents along, wait for them, or leave them', async () => {
    for (const deployed of ['background', 'foreground', 'orphan']) {
      await kubectl.ok('apply -f -', workload('Deployment', deployed, 'sleep 1000'));
      await kubectl.ok(`rollout status deploy/${deployed} --timeout=30s`);
      await kubectl.ok(`delete deploy ${deployed} --cascade=${deployed} --timeout=30s`);
    }
    // Foreground deletion returns when everything below is gone; background soon after.
    expect(await kubectl.ok('get rs -l app=foreground -o name')).toBe('');
    await expect.poll(() => kubectl.ok('get pods -l app=background -o name'), { timeout: 20_000 }).toBe('');
    expect(await kubectl.ok('get rs -l app=orphan -o name')).toMatch(/replicaset.apps\/orphan-/);
    expect(await kubectl.ok('get rs -l app=orphan -o jsonpath={.items[0].metadata.ownerReferences}')).toBe('');
  });

  it('When a certificate request is approved, it should come back signed', async () => {
    const { createRequest, generateKeys } = await import('@hypershift-ts/kube-pki');
    const pem = await createRequest({
      subject: { commonName: 'dev', organizations: ['devs'] },
      keys: await generateKeys(),
    });
    const spec = {
      request: Buffer.from(pem).toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['client auth'],
    };
    const csr = {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'dev' },
      spec,
    };
    await kubectl.ok('apply -f -', JSON.stringify(csr));
    await kubectl.ok('certificate approve dev');
    await expect
      .poll(() => kubectl.ok('get csr dev -o jsonpath={.status.certificate}'), { timeout: 10_000 })
      .toMatch(/^LS0t/);
  });

  it('When a node is drained, it should be cordoned and its pods evicted', async () => {
    await kubectl.ok('drain node-1 --ignore-daemonsets --force --delete-emptydir-data --timeout=40s');
    expect(await kubectl.ok('get node node-1')).toContain('SchedulingDisabled');
    await kubectl.ok('uncordon node-1');
  });

  it('When a namespace is deleted, it should be emptied and vanish', async () => {
    await kubectl.ok('create namespace gone');
    await kubectl.ok('-n gone apply -f -', workload('Deployment', 'inside', 'sleep 1000'));
    await kubectl.ok('delete namespace gone --timeout=40s');
    expect(await kubectl.fails('get namespace gone')).toContain('not found');
  });
});
