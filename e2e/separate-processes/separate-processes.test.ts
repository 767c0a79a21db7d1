import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { createRequest, generateKeys, privateKeyPem } from '@hypershift-ts/kube-pki';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findKubectls, Kubectl } from '../harness/kubectl.ts';
import { HypershiftProcess, isBuilt } from '../harness/process.ts';
import { auditEvents, programsOf, withToken } from './processes.ts';

const kubectlPath = findKubectls().at(-1)?.path;
const program = join(import.meta.dirname, '../../bin/hypershift');
const run = promisify(execFile);
const hasEtcd = (process.env['PATH'] ?? '').split(delimiter).some((dir) => existsSync(join(dir, 'etcd')));
const eventually = <T>(check: () => Promise<T>, timeout = 60_000) => vi.waitFor(check, { timeout, interval: 200 });

/** The journey of a new user again, but every container is a process, and operators talk to the cluster over HTTPS. */
describe.skipIf(!kubectlPath || !isBuilt())('operators and control planes as processes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'processes-'));
  const dataDir = join(folder, 'kube');
  const auditLog = join(folder, 'audit.log');
  const operatorKubeconfig = join(folder, 'operator.kubeconfig');
  const onManagement = ['--kubeconfig', join(dataDir, 'kubeconfig')];
  let management: Kubectl;
  let hosted: Kubectl;
  let operator: HypershiftProcess;

  const hypershift = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await run(process.execPath, [program, ...args], { cwd: folder, timeout: 240_000 });
    return stderr + stdout;
  };

  beforeAll(async () => {
    const audit = ['--audit-log-path', auditLog];
    await hypershift('kube', '--data-dir', dataDir, '--hypershift-programs', 'process', ...audit);
    const image = ['--hypershift-image', 'registry.hypershift-ts.io/hypershift-ts:e2e'];
    // What `install` renders is all that the operator may do; here it runs outside of the cluster.
    await hypershift('install', ...onManagement, ...image, '--replicas', '0');
    const kubeconfig = readFileSync(join(dataDir, 'kubeconfig'), 'utf8');
    management = new Kubectl(kubectlPath!, kubeconfig);
    const token = (await management.ok('-n hypershift create token operator')).trim();
    writeFileSync(operatorKubeconfig, withToken(kubeconfig, token), { mode: 0o600 });
    operator = new HypershiftProcess(['operator', 'run', '--kubeconfig', operatorKubeconfig]);
    await operator.printed('became leader');
    const cluster = ['create', 'cluster', 'kubevirt', '--name', 'demo', '--node-pool-replicas', '1'];
    await hypershift(...cluster, ...onManagement, '--wait', '--timeout', '180s');
    hosted = new Kubectl(kubectlPath!, await hypershift('create', 'kubeconfig', '--name', 'demo', ...onManagement));
  }, 240_000);

  afterAll(async () => {
    await operator?.kill('SIGTERM');
    await hypershift('down', '--data-dir', dataDir);
    management?.dispose();
    hosted?.dispose();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  it('When the cluster is up, every operator of its control plane should be a process', () => {
    const running = programsOf(dataDir).join('\n');
    for (const words of [
      'control-plane-operator run',
      'control-plane-operator hosted-cluster-config-operator',
      'control-plane-operator ignition-server',
      'control-plane-pki-operator operator',
      'cluster-version-operator start',
      'cluster-api',
      'capi-provider',
      'machine-approver',
      'hyperkube kube-controller-manager',
      'hyperkube kube-scheduler',
      'proxy-server',
      'proxy-agent',
      'haproxy',
      // Without a real etcd the API server stays with the builtin one, inside the cluster's own process.
      ...(hasEtcd ? ['hyperkube kube-apiserver'] : []),
    ])
      expect(running).toMatch(new RegExp(`^${words} `, 'm'));
  });

  it('When the cluster is up, kubectl should create a namespace, a Deployment that runs and a CRD', async () => {
    await hosted.ok('create namespace shop');
    await hosted.ok('-n shop create deployment hello --image=hello');
    await hosted.ok('-n shop rollout status deployment hello --timeout=60s');
    expect(await hosted.ok('-n shop logs deployment/hello')).toContain('serving at http://');
    await hosted.ok('apply -f -', JSON.stringify(crontabs));
    await hosted.ok('wait --for=condition=Established crd/crontabs.example.com --timeout=30s');
  }, 120_000);

  it('When break-glass access is approved, it should work until it is revoked', async () => {
    const keys = await generateKeys('P-256');
    const subject = { commonName: 'system:customer-break-glass:jane', organizations: ['system:masters'] };
    const request = await createRequest({ subject, keys });
    const spec = { ...csr.spec, request: Buffer.from(request).toString('base64') };
    await management.ok('create -f -', JSON.stringify({ ...csr, spec }));
    await management.ok('create -f -', JSON.stringify(breakGlass('CertificateSigningRequestApproval')));
    const certificate = await eventually(async () => {
      const found = await management.ok('get csr jane -o jsonpath={.status.certificate}');
      expect(found).not.toBe('');
      return found;
    });
    const own = (await hypershift('create', 'kubeconfig', '--name', 'demo', ...onManagement))
      .replace(/client-certificate-data: .*/, `client-certificate-data: ${certificate}`)
      .replace(/client-key-data: .*/, `client-key-data: ${Buffer.from(privateKeyPem(keys)).toString('base64')}`);
    const jane = new Kubectl(kubectlPath!, own);
    await eventually(async () => expect(await jane.ok('auth whoami')).toContain('system:customer-break-glass:jane'));
    const revocation = breakGlass('CertificateRevocationRequest', { signerClass: 'customer-break-glass' });
    await management.ok('create -f -', JSON.stringify(revocation));
    await eventually(async () => expect(await jane.fails('auth whoami')).toMatch(/Unauthorized|must be logged in/));
    jane.dispose();
  }, 120_000);

  it('When the cluster is destroyed, its processes should be gone', async () => {
    await hypershift('destroy', 'cluster', '--name', 'demo', ...onManagement);
    expect(await management.ok('get namespaces -o name')).not.toContain('clusters-demo');
    await eventually(async () => expect(programsOf(dataDir)).toEqual([]));
  }, 120_000);

  it('When all is done, no operator should have been refused anything, nor have had more than its own rights', () => {
    const events = auditEvents(auditLog);
    const refused = events.filter(({ responseStatus }) => responseStatus?.code === 403);
    expect(refused.map(({ user, verb, requestURI }) => `${user.username} ${verb} ${requestURI}`)).toEqual([]);
    for (const [agent, namespace, account] of identities) {
      const own = events.filter(({ userAgent, user }) => userAgent === agent && user.username);
      expect(new Set(own.map(({ user }) => user.username))).toEqual(
        new Set([`system:serviceaccount:${namespace}:${account}`]),
      );
      expect(own.flatMap(({ user }) => user.groups ?? [])).not.toContain('system:masters');
      // Requests inside of a process come from nowhere.
      expect(own.filter(({ sourceIPs }) => !sourceIPs?.[0]?.includes('127.'))).toEqual([]);
    }
  });

  it('When nobody but administrators may do everything, no service account should be bound to cluster-admin', async () => {
    const bindings = await management.ok('get clusterrolebindings,rolebindings -A -o json');
    const items = (JSON.parse(bindings) as { items: { roleRef: { name: string }; subjects?: { kind: string }[] }[] })
      .items;
    const admins = items.filter(({ roleRef }) => roleRef.name === 'cluster-admin');
    expect(admins.flatMap(({ subjects = [] }) => subjects).filter(({ kind }) => kind === 'ServiceAccount')).toEqual([]);
    const own = await management.ok('get clusterrole hypershift-operator -o json');
    const { rules } = JSON.parse(own) as { rules: { apiGroups?: string[]; verbs: string[] }[] };
    expect(rules.filter(({ apiGroups = [] }) => apiGroups.includes('*'))).toEqual([]);
    expect(rules.flatMap(({ verbs }) => verbs)).not.toContain('escalate');
  });

  it('When the operator is asked to stop, it should end by itself and give up its lease', async () => {
    await operator.kill('SIGTERM');
    expect(operator.child.exitCode).toBe(0);
    const holder = '-n hypershift get lease hypershift-operator-leader-elect -o jsonpath={.spec.holderIdentity}';
    expect(await management.ok(holder)).toBe('');
  }, 30_000);
});

/** Who each operator is: by its user agent, the service account of a namespace. */
const identities = [
  ['hypershift-operator', 'hypershift', 'operator'],
  ['control-plane-operator', 'clusters-demo', 'control-plane-operator'],
  ['hosted-cluster-config-operator', 'clusters-demo', 'hosted-cluster-config-operator'],
  ['control-plane-pki-operator', 'clusters-demo', 'control-plane-pki-operator'],
  ['cluster-api-controller-manager', 'clusters-demo', 'cluster-api'],
  ['capi-provider', 'clusters-demo', 'capi-provider'],
  ['ignition-server', 'clusters-demo', 'ignition-server'],
  ['machine-approver', 'clusters-demo', 'machine-approver'],
] as const;

const crontabs = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'crontabs.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'CronTab', plural: 'crontabs', singular: 'crontab' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};
const csr = {
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: 'jane' },
  spec: {
    signerName: 'hypershift.openshift.io/clusters-demo.customer-break-glass',
    usages: ['client auth', 'digital signature'],
  },
};
const breakGlass = (kind: string, spec?: object) => ({
  apiVersion: 'certificates.hypershift.openshift.io/v1alpha1',
  kind,
  metadata: { name: 'jane', namespace: 'clusters-demo' },
  ...(spec ? { spec } : {}),
});
