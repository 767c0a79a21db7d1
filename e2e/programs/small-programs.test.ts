import { corev1, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { HttpClient } from '@hypershift-ts/kube-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, hostedClient, hostedKubeconfig, type Management, startManagement } from './harness.ts';
import { applyHosted, hostedPki } from './manifests.ts';

const namespace = 'clusters-small';
const kubeconfigMount = {
  volumes: [{ name: 'kubeconfig', secret: { secretName: 'admin-kubeconfig' } }],
  mount: { name: 'kubeconfig', mountPath: '/etc/kubernetes' },
};

describe('Small programs beside a hosted control plane', () => {
  let management: Management;
  let admin: HttpClient;
  let hosted: HttpClient;

  beforeAll(async () => {
    management = await startManagement();
    const { client } = management;
    const pki = await hostedPki(namespace);
    await applyHosted(client, { namespace, pki });
    const kubeconfig = Buffer.from(pki.kubeconfigs.admin).toString('base64');
    await client.create(corev1.secrets, { metadata: { name: 'admin-kubeconfig', namespace }, data: { kubeconfig } });
    // Pods made by hand are refused before it exists.
    await eventually(() => client.get(corev1.serviceaccounts, { namespace, name: 'default' }), 'service account');
    admin = hostedClient(management.cluster.adminKubeconfig());
    hosted = hostedClient(await hostedKubeconfig(client, namespace, pki.kubeconfigs.admin));
  });

  afterAll(async () => {
    await admin?.close();
    await hosted?.close();
    await management?.stop();
  });

  const logOf = async (pod: string) => (await admin.raw('GET', `/api/v1/namespaces/${namespace}/pods/${pod}/log`)).body;

  it('When a prober waits for the API server and a kind, it should end when both are there', async () => {
    await management.client.create(corev1.pods, {
      metadata: { name: 'prober', namespace },
      spec: {
        restartPolicy: 'Never',
        automountServiceAccountToken: false,
        containers: [
          {
            name: 'availability-prober',
            image: 'example.org/availability-prober',
            command: [
              '/usr/bin/control-plane-operator',
              'availability-prober',
              '--target',
              'https://kube-apiserver:6443/readyz',
              '--kubeconfig=/etc/kubernetes/kubeconfig',
              '--required-api=batch,v1,Job',
              '--wait-for-cluster-rolebinding=awaited',
            ],
            volumeMounts: [kubeconfigMount.mount],
          },
        ],
        volumes: kubeconfigMount.volumes,
      },
    });
    await eventually(async () => (await logOf('prober')).includes('awaited does not exist'), 'a reason to wait');
    const bindings: ResourceType<KubeObject & { roleRef: object }> = {
      group: 'rbac.authorization.k8s.io',
      version: 'v1',
      kind: 'ClusterRoleBinding',
      resource: 'clusterrolebindings',
      namespaced: false,
    };
    await hosted.create(bindings, {
      metadata: { name: 'awaited' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    });
    const phase = await eventually(async () => {
      const { status } = await management.client.get(corev1.pods, { namespace, name: 'prober' });
      return status?.phase === 'Succeeded' && status.phase;
    }, 'the prober to end');
    expect(phase).toBe('Succeeded');
  });

  it('When a token is minted, it should be one of the hosted service account', async () => {
    await management.client.create(corev1.pods, {
      metadata: { name: 'minter', namespace },
      spec: {
        restartPolicy: 'Never',
        automountServiceAccountToken: false,
        initContainers: [
          {
            name: 'token-minter',
            image: 'example.org/token-minter',
            command: ['/usr/bin/control-plane-operator', 'token-minter'],
            args: [
              '--oneshot',
              '--token-audience=openshift',
              '--service-account-namespace=kube-system',
              '--service-account-name=capa-controller-manager',
              '--token-file=/var/run/token/token',
              '--kubeconfig=/etc/kubernetes/kubeconfig',
            ],
            volumeMounts: [kubeconfigMount.mount, { name: 'token', mountPath: '/var/run/token' }],
          },
        ],
        containers: [
          {
            name: 'reader',
            image: 'example.org/tools',
            command: ['cat', '/var/run/token/token'],
            volumeMounts: [{ name: 'token', mountPath: '/var/run/token' }],
          },
        ],
        volumes: [...kubeconfigMount.volumes, { name: 'token', emptyDir: {} }],
      },
    });
    const token = await eventually(async () => (await logOf('minter')) || false, 'the token');
    const claims = JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString()) as object;
    expect(claims).toMatchObject({
      aud: ['openshift'],
      iss: 'https://kubernetes.default.svc',
      sub: 'system:serviceaccount:kube-system:capa-controller-manager',
    });
  });

  it('When a flag cannot be honoured, it should be said in the log', async () => {
    const { items } = await management.client.list(corev1.pods, { namespace, labelSelector: 'app=kube-apiserver' });
    const log = await logOf(`${items[0]?.metadata.name}`);
    expect(log).toContain('builtin kube-apiserver serves');
    expect(log).toContain('--encryption-provider-config is not supported');
  });
});
