import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createRequest, generateKeys, privateKeyPem } from '@hypershift-ts/kube-pki';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findKubectls, Kubectl } from '../harness/kubectl.ts';
import { isBuilt } from '../harness/process.ts';

const kubectlPath = findKubectls().at(-1)?.path;
const program = join(import.meta.dirname, '../../bin/hypershift');
const run = promisify(execFile);
const eventually = <T>(check: () => Promise<T>, timeout = 60_000) => vi.waitFor(check, { timeout, interval: 200 });

/** From `hypershift up` to `hypershift destroy`, as somebody with kubectl would do it. */
describe.skipIf(!kubectlPath || !isBuilt())('the journey of a new user', () => {
  const folder = mkdtempSync(join(tmpdir(), 'journey-'));
  const dataDir = join(folder, 'up');
  let management: Kubectl;
  let hosted: Kubectl;

  const hypershift = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await run(process.execPath, [program, ...args], { cwd: folder, timeout: 240_000 });
    return stderr + stdout;
  };
  const onManagement = ['--kubeconfig', join(dataDir, 'kubeconfig')];

  beforeAll(async () => {
    const said = await hypershift('up', '--data-dir', dataDir);
    expect(said).toContain('HostedCluster clusters/demo is available, its nodes are ready');
    management = new Kubectl(kubectlPath!, readFileSync(join(dataDir, 'kubeconfig'), 'utf8'));
    hosted = new Kubectl(kubectlPath!, readFileSync(join(dataDir, 'demo.kubeconfig'), 'utf8'));
  }, 300_000);

  afterAll(async () => {
    await hypershift('down', '--data-dir', dataDir);
    management?.dispose();
    hosted?.dispose();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  it('When the cluster is up, kubectl should find nodes and create a namespace, a Deployment and a CRD', async () => {
    expect((await hosted.ok('get nodes --no-headers')).match(/ Ready /g)).toHaveLength(2);
    expect(await hosted.ok('auth whoami')).toContain('system:admin');
    await hosted.ok('create namespace shop');
    await hosted.ok('-n shop create deployment hello --image=hello --replicas=2');
    await hosted.ok('-n shop rollout status deployment hello --timeout=60s');
    await hosted.ok('apply -f -', JSON.stringify(crontabs));
    await hosted.ok('wait --for=condition=Established crd/crontabs.example.com --timeout=30s');
    expect(await hosted.ok('explain crontab.spec')).toContain('schedule');
  }, 120_000);

  it('When a pod runs on a worker, logs and exec should reach it through the tunnel', async () => {
    expect(await hosted.ok('-n shop logs deployment/hello')).toContain('serving at http://');
    expect(await hosted.ok('-n shop exec deployment/hello -- echo here')).toContain('here');
    const agents = await hosted.ok('-n kube-system get pods -l app=konnectivity-agent --no-headers');
    expect(agents.match(/1\/1/g)).toHaveLength(2);
  }, 60_000);

  it('When a certificate for break-glass access is requested and approved, it should work until it is revoked', async () => {
    const keys = await generateKeys('P-256');
    const request = await createRequest({
      subject: { commonName: 'system:customer-break-glass:jane', organizations: ['system:masters'] },
      keys,
    });
    const signerName = 'hypershift.openshift.io/clusters-demo.customer-break-glass';
    const usages = ['client auth', 'digital signature'];
    const spec = { signerName, usages, request: Buffer.from(request).toString('base64') };
    await management.ok('create -f -', JSON.stringify({ ...csr, spec }));
    await management.ok('create -f -', JSON.stringify(approval));
    const certificate = await eventually(async () => {
      const found = await management.ok('get csr jane -o jsonpath={.status.certificate}');
      expect(found).not.toBe('');
      return found;
    });
    const kubeconfig = readFileSync(join(dataDir, 'demo.kubeconfig'), 'utf8')
      .replace(/client-certificate-data: .*/, `client-certificate-data: ${certificate}`)
      .replace(/client-key-data: .*/, `client-key-data: ${Buffer.from(privateKeyPem(keys)).toString('base64')}`);
    const jane = new Kubectl(kubectlPath!, kubeconfig);
    await eventually(async () => expect(await jane.ok('auth whoami')).toContain('system:customer-break-glass:jane'));
    await management.ok('create -f -', JSON.stringify(revocation));
    await eventually(async () => expect(await jane.fails('auth whoami')).toMatch(/Unauthorized|must be logged in/));
    const revoked = '-n clusters-demo wait --for=condition=PreviousCertificatesRevoked';
    await management.ok(`${revoked} certificaterevocationrequests/jane --timeout=60s`);
    jane.dispose();
  }, 180_000);

  it('When the node pool is scaled, machines should come and go, drained first', async () => {
    await hypershift('scale', 'nodepool', 'demo', '--replicas', '3', ...onManagement);
    await eventually(async () => expect((await hosted.ok('get nodes --no-headers')).match(/ Ready /g)).toHaveLength(3));
    const [node] = (await hosted.ok('get nodes -o name')).trim().split('\n');
    expect(await hosted.ok(`drain ${node} --ignore-daemonsets --delete-emptydir-data`)).toContain('drained');
    await hosted.ok(`uncordon ${node}`);
    await hypershift('scale', 'nodepool', 'demo', '--replicas', '1', ...onManagement);
    await eventually(async () =>
      expect((await hosted.ok('get nodes --no-headers')).trim().split('\n')).toHaveLength(1),
    );
  }, 180_000);

  it('When the management cluster is started again, everything should be as it was', async () => {
    await hypershift('down', '--data-dir', dataDir);
    await hypershift('up', '--data-dir', dataDir);
    management.dispose();
    management = new Kubectl(kubectlPath!, readFileSync(join(dataDir, 'kubeconfig'), 'utf8'));
    await eventually(async () => expect(await hosted.ok('-n shop get deployment hello')).toContain('2/2'));
    await eventually(async () =>
      expect(await hypershift('describe', 'cluster', 'demo', ...onManagement)).toContain(
        '✓ HostedCluster clusters/demo',
      ),
    );
  }, 180_000);

  it('When the cluster is destroyed, nothing of it should be left', async () => {
    await hypershift('destroy', 'cluster', '--name', 'demo', ...onManagement);
    expect(await management.ok('get hostedclusters,nodepools -A')).toBe('');
    expect(await management.ok('get namespaces -o name')).not.toContain('clusters-demo');
    expect(await management.ok('get clusterroles,clusterrolebindings -o name')).not.toContain('clusters-demo');
    await hosted.fails('get --raw /version --request-timeout=5s');
  }, 180_000);
});

const crontabs = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'crontabs.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'CronTab', plural: 'crontabs', singular: 'crontab' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { schedule: { type: 'string' } } } },
          },
        },
      },
    ],
  },
};
const csr = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name: 'jane' } };
const approval = {
  apiVersion: 'certificates.hypershift.openshift.io/v1alpha1',
  kind: 'CertificateSigningRequestApproval',
  metadata: { name: 'jane', namespace: 'clusters-demo' },
};
const revocation = {
  apiVersion: 'certificates.hypershift.openshift.io/v1alpha1',
  kind: 'CertificateRevocationRequest',
  metadata: { name: 'jane', namespace: 'clusters-demo' },
  spec: { signerClass: 'customer-break-glass' },
};
