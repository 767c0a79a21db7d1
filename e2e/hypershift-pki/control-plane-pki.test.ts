import { performance } from 'node:perf_hooks';
import type { AuditEvent } from '@hypershift-ts/kube-apiserver';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { InformerCache } from '@hypershift-ts/kube-client';
import { day, KeyPool } from '@hypershift-ts/kube-pki';
import { type PkiFacts, reconcilePki } from '@hypershift-ts/hypershift-control-plane-pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';

const namespace = 'clusters-demo';
const facts: PkiFacts = {
  namespace,
  hcpName: 'demo',
  infraId: 'demo-x7k2p',
  api: { host: 'api.demo.example.com', port: 6443 },
  serviceNetworks: ['172.31.0.0/16'],
  konnectivityHost: 'konnectivity.demo.example.com',
  oauthHost: 'oauth.demo.example.com',
  ingressDomain: 'apps.demo.example.com',
  ignition: { host: 'ignition.demo.example.com' },
};
const start = Date.now();
const pool = new KeyPool({ size: { 'RSA-2048': 1 } });
let requests: AuditEvent[] = [];
let management: TestCluster;

const isWrite = ({ verb }: AuditEvent) => !['get', 'list', 'watch'].includes(verb);

beforeAll(async () => {
  management = await startTestCluster({ apiServer: { audit: (event) => requests.push(event) } });
  await management.client.create(corev1.namespaces, { metadata: { name: namespace } });
  await pool.fill();
});
afterAll(async () => {
  pool.close();
  await management.stop();
});

const reconcile = (now: number, change: Partial<PkiFacts> = {}) =>
  reconcilePki({ client: management.client, facts: { ...facts, ...change }, keys: pool.take, now });

describe('the PKI of a control plane on an API server', () => {
  it('When reconciled for the first time, it should create everything and settle', async () => {
    const began = performance.now();
    const { plan, writes } = await reconcile(start);
    process.stderr.write(`control plane PKI: ${writes} objects in ${Math.round(performance.now() - began)} ms\n`);
    expect(plan.create.length).toBeGreaterThan(50);

    requests = [];
    const again = await reconcile(start + day);
    expect(again.writes).toBe(0);
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.filter(isWrite)).toEqual([]);
  });

  it('When read through a cache, it should settle without any request', async () => {
    const cache = new InformerCache({ client: management.client });
    const scope = { namespace };
    cache.informer(corev1.secrets, scope);
    cache.informer(corev1.configmaps, scope);
    cache.start();
    await cache.whenSynced();
    requests = [];
    const options = { client: management.client, cache, scope, facts, keys: pool.take, now: start + day };
    expect((await reconcilePki(options)).writes).toBe(0);
    expect(Object.isFrozen(cache.get(corev1.secrets, { namespace, name: 'root-ca' }, scope))).toBe(true);
    const began = performance.now();
    for (let pass = 0; pass < 10; pass++) await reconcilePki(options);
    process.stderr.write(`settled reconcile: ${((performance.now() - began) / 10).toFixed(2)} ms\n`);
    expect(requests.filter(({ verb }) => verb !== 'watch')).toEqual([]);
    await cache.stop();
  });

  it('When the API host moves, it should write only what carries its name', async () => {
    requests = [];
    await reconcile(start + day, { api: { host: 'api.moved.example.com', port: 443 } });
    const written = requests.filter(isWrite).map(({ objectRef }) => objectRef?.name ?? '');
    expect(written.sort((a, b) => a.localeCompare(b))).toEqual([
      'admin-kubeconfig',
      'bootstrap-kubeconfig',
      'kas-server-crt',
    ]);
    expect((await reconcile(start + day, { api: { host: 'api.moved.example.com', port: 443 } })).writes).toBe(0);
    await reconcile(start + day);
  });

  it('When somebody else adds labels and keys to a Secret, it should leave them alone', async () => {
    const key = { namespace, name: 'admin-kubeconfig' };
    const body = { metadata: { labels: { team: 'a' } }, data: { note: 'eA==' } };
    await management.client.patch(corev1.secrets, key, { type: 'merge', body });
    expect((await reconcile(start + day)).writes).toBe(0);
    const live = await management.client.get(corev1.secrets, key);
    expect(live.metadata.labels).toEqual({ team: 'a', 'hypershift.openshift.io/kubeconfig': 'external' });
  });

  it('When a CA is deleted, it should be made again with all it signed, and settle', async () => {
    await management.client.delete(corev1.secrets, { namespace, name: 'system-admin-signer' });
    requests = [];
    await reconcile(start + day);
    // The audit event of a creation names no object: the signer is the one created.
    expect(new Set(requests.filter(isWrite).map(({ verb, objectRef }) => objectRef?.name ?? verb))).toEqual(
      new Set([
        'create',
        'client-ca',
        'system-admin-client',
        'admin-kubeconfig',
        'localhost-kubeconfig',
        'service-network-admin-kubeconfig',
        'demo-x7k2p-kubeconfig',
      ]),
    );
    expect((await reconcile(start + day)).writes).toBe(0);
  });

  it('When two reconciles begin at once, it should end with one consistent PKI', async () => {
    const other = 'clusters-race';
    await management.client.create(corev1.namespaces, { metadata: { name: other } });
    const run = () => reconcile(start, { namespace: other });
    // The slower one finds signers it did not make and gives up; its own never get out.
    await Promise.allSettled([run(), run()]);
    const { plan } = await run();
    expect(plan.renew).toEqual([]);
    expect((await run()).writes).toBe(0);
  });
});

describe('the cost of a control plane', () => {
  it('When keys are pre-made, it should take little CPU', async () => {
    const { planPki, issuePki, desiredPki } = await import('@hypershift-ts/hypershift-control-plane-pki');
    const nothing = { secrets: new Map(), configMaps: new Map() };
    const once = async () => {
      const contents = await issuePki(planPki(facts, nothing, start), nothing, { keys: pool.take, now: start });
      return desiredPki(facts, contents, nothing);
    };
    await once();
    await pool.fill();
    const before = process.cpuUsage();
    const began = performance.now();
    const { leaves, authorities } = await once();
    const { user, system } = process.cpuUsage(before);
    process.stderr.write(
      `${authorities.length} CAs and ${leaves.length} leaves: ${Math.round((user + system) / 1000)} ms of CPU, ` +
        `${Math.round(performance.now() - began)} ms\n`,
    );
    // The CPU also counts the key that refills the pool in the background; so the bound is generous.
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
