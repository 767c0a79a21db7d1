import { appsv1, corev1, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { HttpClient } from '@hypershift-ts/kube-client';
import { fingerprint } from '@hypershift-ts/kube-pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findKubectls, Kubectl } from '../harness/kubectl.ts';
import {
  describePods,
  eventually,
  hostedClient,
  hostedKubeconfig,
  type Management,
  podsGone,
  startManagement,
} from './harness.ts';
import { applyHosted, type HostedPki, hostedPki, servingCertificate, tlsData } from './manifests.ts';

const namespace = 'clusters-one';
const widgets: ResourceType<KubeObject & { spec?: { size?: number } }> = {
  group: 'example.org',
  version: 'v1',
  kind: 'Widget',
  resource: 'widgets',
  namespaced: true,
};
const widgetCrd = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.org' },
  spec: {
    group: 'example.org',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
          },
        },
      },
    ],
  },
});

describe.each([
  ['flags', false],
  ['a KubeAPIServerConfig', true],
])('A hosted control plane from plain manifests with %s', (_, openshiftConfig) => {
  let management: Management;
  let pki: HostedPki;
  let hosted: HttpClient;
  let kubeconfig: string;

  beforeAll(async () => {
    management = await startManagement();
    pki = await hostedPki(namespace);
    const { client } = management;
    const began = Date.now();
    await applyHosted(client, { namespace, pki, openshiftConfig });
    kubeconfig = await hostedKubeconfig(client, namespace, pki.kubeconfigs.admin);
    hosted = hostedClient(kubeconfig);
    try {
      await eventually(() => hosted.raw('GET', '/readyz'), 'hosted /readyz');
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${await describePods(client, namespace)}`, { cause: error });
    }
    process.stderr.write(`apply to hosted /readyz: ${Date.now() - began} ms\n`);
  });

  afterAll(async () => {
    await hosted?.close();
    await management?.stop();
  });

  const pods = async (app: string) =>
    (await management.client.list(corev1.pods, { namespace, labelSelector: `app=${app}` })).items;
  const isReady = (pod: corev1.Pod) =>
    pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

  it('When a deployment is made there, it should get pods that wait for nodes', async () => {
    await hosted.create(corev1.namespaces, { metadata: { name: 'shop' } });
    await eventually(
      () => hosted.get(corev1.serviceaccounts, { namespace: 'shop', name: 'default' }),
      'service account',
    );
    const root = await eventually(
      () => hosted.get(corev1.configmaps, { namespace: 'shop', name: 'kube-root-ca.crt' }),
      'root CA',
    );
    expect(root.data?.['ca.crt']).toBe(pki.rootCa.certificatePem);
    await hosted.create(appsv1.deployments, {
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web' }] } },
      },
    });
    const phases = await eventually(async () => {
      const { items } = await hosted.list(corev1.pods, { namespace: 'shop' });
      const waits = items.filter((pod) => pod.status?.conditions?.some((one) => one.reason === 'Unschedulable'));
      return waits.length === 2 ? waits.map((pod) => pod.status?.phase) : false;
    }, 'two unschedulable pods');
    expect(phases).toEqual(['Pending', 'Pending']);
  });

  it('When the controllers work, it should be inside the process', async () => {
    const admin = hostedClient(management.cluster.adminKubeconfig());
    for (const app of ['kube-controller-manager', 'kube-scheduler']) {
      const [pod] = await pods(app);
      expect(pod?.status?.containerStatuses?.[0]?.restartCount).toBe(0);
      const log = await admin.raw('GET', `/api/v1/namespaces/${namespace}/pods/${pod?.metadata.name}/log`);
      expect(log.body).toContain('inProcess=true');
    }
    await admin.close();
  });

  const [kubectlFound] = findKubectls();
  it.skipIf(!kubectlFound)('When kubectl makes a CRD and an object, it should serve them', async () => {
    const kubectl = new Kubectl(kubectlFound?.path ?? '', kubeconfig);
    try {
      await kubectl.ok('apply -f -', widgetCrd);
      await kubectl.ok('wait --for=condition=Established crd/widgets.example.org --timeout=20s');
      const widget = { apiVersion: 'example.org/v1', kind: 'Widget', metadata: { name: 'a' }, spec: { size: 3 } };
      await kubectl.ok('-n shop apply -f -', JSON.stringify(widget));
      expect(await kubectl.ok('auth whoami -o jsonpath={.status.userInfo.username}')).toBe('system:admin');
    } finally {
      kubectl.dispose();
    }
  });

  it('When a kubeconfig of another CA is used, it should be refused', async () => {
    const stranger = await hostedPki(namespace);
    const config = JSON.parse(kubeconfig) as { users: { user: object }[] };
    config.users = (JSON.parse(stranger.kubeconfigs.admin) as typeof config).users;
    const client = hostedClient(JSON.stringify(config));
    await expect(client.list(corev1.namespaces)).rejects.toMatchObject({ code: 401 });
    await client.close();
  });

  it('When the API server pod is deleted, it should come back with the data', async () => {
    const [before] = await pods('kube-apiserver');
    await management.client.delete(corev1.pods, { namespace, name: before?.metadata.name ?? '' });
    await eventually(async () => {
      const now = await pods('kube-apiserver');
      return now.length === 1 && now[0]?.metadata.uid !== before?.metadata.uid && now.every(isReady);
    }, 'a new API server pod');
    const again = hostedClient(kubeconfig);
    const kept = await eventually(() => again.get(corev1.namespaces, { name: 'shop' }), 'data after the restart');
    expect(kept.metadata.name).toBe('shop');
    if (kubectlFound) expect((await again.get(widgets, { namespace: 'shop', name: 'a' })).spec?.size).toBe(3);
    // The controllers found the new server: what they make appears.
    await again.create(corev1.namespaces, { metadata: { name: 'later' } });
    await eventually(
      () => again.get(corev1.serviceaccounts, { namespace: 'later', name: 'default' }),
      'controllers at the new server',
    );
    await again.close();
  });

  it('When there are two replicas, it should answer from both with the same data', async () => {
    await management.client.patch(
      appsv1.deployments,
      { namespace, name: 'kube-apiserver' },
      { type: 'merge', body: { spec: { replicas: 2 } } },
    );
    const two = await eventually(async () => {
      const now = await pods('kube-apiserver');
      return now.length === 2 && now.every(isReady) ? now : false;
    }, 'two API servers');
    const marks = (two as corev1.Pod[]).map((pod, i) => ({ ip: pod.status?.podIP, name: `mark-${i}` }));
    const found: string[] = [];
    for (const [i, { ip, name }] of marks.entries()) {
      const direct = JSON.parse(kubeconfig) as { clusters: { cluster: Record<string, string> }[] };
      (direct.clusters[0]?.cluster ?? {})['server'] = `https://${ip}:6443`;
      const client = hostedClient(JSON.stringify(direct));
      await client.create(corev1.configmaps, { metadata: { name, namespace: 'shop' } });
      for (const other of marks.slice(0, i + 1))
        found.push((await client.get(corev1.configmaps, { namespace: 'shop', name: other.name })).metadata.name ?? '');
      await client.close();
    }
    expect(found).toEqual(['mark-0', 'mark-0', 'mark-1']);
  });

  it('When the serving certificate is rotated under requests, it should fail none of them', async () => {
    const next = await servingCertificate(pki.rootCa, namespace);
    let going = true;
    let requests = 0;
    const failures: unknown[] = [];
    const caller = async () => {
      while (going) {
        // Every other request over a new connection: those see the new certificate first.
        const client = requests % 2 === 0 ? hosted : hostedClient(kubeconfig);
        requests++;
        await client.get(corev1.namespaces, { name: 'shop' }).catch((error: unknown) => failures.push(error));
        if (client !== hosted) await client.close();
      }
    };
    const callers = [caller(), caller()];
    await management.client.patch(
      corev1.secrets,
      { namespace, name: 'kas-server-crt' },
      { type: 'merge', body: { data: tlsData(next) } },
    );
    const wanted = fingerprint(next.certificate.der);
    await eventually(async () => management.directory.apiServersWith(wanted).length === 2, 'both servers renewed');
    const enough = requests + 10;
    await eventually(async () => requests >= enough, 'ten requests with the new certificate');
    going = false;
    await Promise.all(callers);
    expect(failures).toEqual([]);
  });

  it('When the API servers are rolled under requests, it should fail none of them', async () => {
    const before = (await pods('kube-apiserver')).map(({ metadata }) => metadata.uid);
    let going = true;
    let writes = 0;
    const failures: unknown[] = [];
    const caller = async () => {
      while (going) {
        const name = `rolled-${writes++}`;
        await hosted
          .create(corev1.configmaps, { metadata: { name, namespace: 'shop' } })
          .catch((error: unknown) => failures.push(error));
      }
    };
    const callers = [caller(), caller(), caller()];
    await management.client.patch(
      appsv1.deployments,
      { namespace, name: 'kube-apiserver' },
      { type: 'merge', body: { spec: { template: { metadata: { annotations: { rolled: 'yes' } } } } } },
    );
    await eventually(async () => {
      const now = await pods('kube-apiserver');
      return now.length === 2 && now.every((pod) => isReady(pod) && !before.includes(pod.metadata.uid));
    }, 'both API servers replaced');
    going = false;
    await Promise.all(callers);
    expect(failures).toEqual([]);
    expect(writes).toBeGreaterThan(10);
  });

  it('When the namespace is deleted, it should leave nothing', async () => {
    await hosted.close();
    await management.client.delete(corev1.namespaces, { name: namespace });
    await eventually(() => podsGone(management.client, namespace), 'pods gone');
    expect(management.directory.size).toEqual({ apiServers: 0, etcdMembers: 0, etcdClusters: 0 });
  });
});
