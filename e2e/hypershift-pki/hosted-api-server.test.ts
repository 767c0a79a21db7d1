import { type PkiFacts, type PkiTuning, reconcilePki } from '@hypershift-ts/hypershift-control-plane-pki';
import { kasPodProber } from '@hypershift-ts/hypershift-pki-operator';
import { authenticationv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { day, generateKeys, parseCertificate } from '@hypershift-ts/kube-pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpsClient, startTestCluster, type TestCluster } from '../harness/cluster.ts';

const namespace = 'clusters-demo';
let management: TestCluster;
let guest: TestCluster;
let facts: PkiFacts;

beforeAll(async () => {
  management = await startTestCluster();
  guest = await startTestCluster();
  facts = {
    namespace,
    hcpName: 'demo',
    infraId: 'demo-x7k2p',
    api: { host: '127.0.0.1', port: Number(new URL(guest.cluster.server).port) },
    serviceNetworks: ['172.31.0.0/16'],
    konnectivityHost: 'konnectivity.demo.example.com',
  };
  await management.client.create(corev1.namespaces, { metadata: { name: namespace } });
  await management.client.create(corev1.serviceaccounts, { metadata: { name: 'default', namespace } });
  await reconcile();
  await serveWith('kas-server-crt');
});
afterAll(async () => {
  await guest.stop();
  await management.stop();
});

const reconcile = (tuning: PkiTuning = {}) =>
  reconcilePki({ client: management.client, facts, keys: generateKeys, now: Date.now(), tuning });

async function inSecret(name: string, key: string, from = namespace): Promise<string> {
  const secret = await management.client.get(corev1.secrets, { namespace: from, name });
  return Buffer.from(secret.data?.[key] ?? '', 'base64').toString('utf8');
}

/** What kube-apiserver does when its mounted certificates change. */
async function serveWith(secret: string): Promise<void> {
  const [certificate, key, trust] = await Promise.all([
    inSecret(secret, 'tls.crt'),
    inSecret(secret, 'tls.key'),
    management.client.get(corev1.configmaps, { namespace, name: 'client-ca' }),
  ]);
  guest.cluster.apiServer.reloadCertificates({ certificate, key }, trust.data?.['ca.crt'] ?? '');
}

async function userOf(kubeconfig: string) {
  const client = httpsClient(guest.cluster, kubeconfig);
  try {
    const review = await client.create(authenticationv1.selfsubjectreviews, { metadata: {} });
    return review.status?.userInfo;
  } finally {
    await client.close();
  }
}

describe('a hosted API server with the PKI of its control plane', () => {
  it('When the printed kubeconfigs are used, it should know who comes', async () => {
    const admin = await userOf(await inSecret('admin-kubeconfig', 'kubeconfig'));
    expect([admin?.username, admin?.groups]).toEqual(['system:admin', ['system:masters', 'system:authenticated']]);
    const node = await userOf(await inSecret('bootstrap-kubeconfig', 'kubeconfig'));
    expect(node?.username).toBe('system:serviceaccount:openshift-machine-config-operator:node-bootstrapper');
    expect(node?.groups).toContain('system:serviceaccounts:openshift-machine-config-operator');
  });

  it('When the administrator of another control plane comes, it should refuse', async () => {
    const other = { ...facts, namespace: 'clusters-other' };
    await management.client.create(corev1.namespaces, { metadata: { name: other.namespace } });
    await reconcilePki({ client: management.client, facts: other, keys: generateKeys, now: Date.now() });
    const ours = await inSecret('admin-kubeconfig', 'kubeconfig');
    const theirs = await inSecret('admin-kubeconfig', 'kubeconfig', other.namespace);
    const user = (text: string) => text.slice(text.indexOf('    client-certificate-data:'));
    // Everything as for our administrator, but with the neighbour's certificate and key.
    const mixed = ours.replace(user(ours), user(theirs));
    await expect(userOf(mixed)).rejects.toMatchObject({ code: 401 });
  });

  it('When every leaf is renewed under continuous requests, it should fail none of them', async () => {
    const before = await inSecret('kas-server-crt', 'tls.crt');
    const kubeconfig = await inSecret('admin-kubeconfig', 'kubeconfig');
    const steady = httpsClient(guest.cluster, kubeconfig);
    let running = true;
    let answered = 0;
    const failures: unknown[] = [];
    const request = async (work: () => Promise<unknown>) => {
      while (running) {
        await work().then(
          () => answered++,
          (error: unknown) => failures.push(error),
        );
      }
    };
    const load = [
      request(() => steady.list(corev1.namespaces)),
      // New connections see the new certificate while it changes.
      request(() => userOf(kubeconfig)),
    ];
    const { plan } = await reconcile({ leafValidity: 200 * day });
    expect(plan.renew.length).toBeGreaterThan(30);
    await serveWith('kas-server-crt');
    const renewed = await userOf(await inSecret('admin-kubeconfig', 'kubeconfig'));
    const enough = answered + 20;
    while (answered < enough && failures.length === 0) await userOf(kubeconfig);
    running = false;
    await Promise.all(load);
    await steady.close();
    expect(failures).toEqual([]);
    expect(renewed?.username).toBe('system:admin');
    const after = parseCertificate(await inSecret('kas-server-crt', 'tls.crt'));
    expect(after.serialNumber).not.toBe(parseCertificate(before).serialNumber);
  });

  it('When the pods of kube-apiserver are asked, it should tell trusted clients from others', async () => {
    // Pods are reached by the name of the Service, which the private certificate carries.
    await serveWith('kas-server-private-crt');
    const prober = kasPodProber({ client: management.client, namespace, port: facts.api.port });
    const pod = {
      metadata: { namespace, name: 'kube-apiserver-0', labels: { app: 'kube-apiserver' } },
      spec: { containers: [{ name: 'kube-apiserver', image: 'kube-apiserver' }] },
    };
    const credentials = async (secret: string) => ({
      certificatePem: await inSecret(secret, 'tls.crt'),
      keyPem: await inSecret(secret, 'tls.key'),
    });
    expect(await prober(await credentials('hcco-client'))).toEqual([]);
    const created = await management.client.create(corev1.pods, pod);
    expect(await prober(await credentials('hcco-client'))).toEqual(['unknown']);
    const status = { ...created.status, podIP: '127.0.0.1', podIPs: [{ ip: '127.0.0.1' }] };
    await management.client.update(corev1.pods, { ...created, status }, { subresource: 'status' });
    expect(await prober(await credentials('hcco-client'))).toEqual(['accepted']);
    // Signed by a CA of the control plane, but not one of those for clients of the API server.
    expect(await prober(await credentials('konnectivity-client'))).toEqual(['rejected']);
  });
});
