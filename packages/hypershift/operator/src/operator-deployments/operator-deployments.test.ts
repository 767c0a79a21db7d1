import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import { platformFor, type PlatformType } from '@hypershift-ts/hypershift-platforms';
import { EmbeddedCatalogue, embeddedReleaseImage, type ReleaseImage } from '@hypershift-ts/hypershift-release';
import { X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { aCluster, aControlPlane } from '../testing/clusters.ts';
import { isWebhookSecretDue, operatorsOf, podDeclarationOf, webhookSecret } from './index.ts';

let release: ReleaseImage;
beforeAll(async () => {
  release = await new EmbeddedCatalogue().lookup(embeddedReleaseImage('4.20.8'));
});

const email = (name: string) => `${name}@my-project.iam.gserviceaccount.com`;
const settings: { readonly [type: string]: object } = {
  AWS: { aws: { region: 'us-east-1', rolesRef: { nodePoolManagementARN: 'arn:aws:iam::1:role/capa' } } },
  GCP: {
    gcp: { project: 'p', region: 'r', workloadIdentity: { serviceAccountsEmails: { nodePool: email('capg') } } },
  },
  KubeVirt: { kubevirt: {} },
};
const clusterOn = (type: PlatformType, metadata: object = {}) =>
  aCluster({ platform: { type, ...settings[type] } }, metadata);
const operators = (type: PlatformType, cluster: HostedCluster = clusterOn(type)) =>
  operatorsOf({
    cluster,
    hostedControlPlane: aControlPlane(),
    platform: platformFor(type),
    release,
    utilitiesImage: 'registry.example.com/cpo:1',
    providerImages: { KubeVirt: 'registry.example.com/capk:1' },
  });
const providerPod = (type: PlatformType, cluster?: HostedCluster) => {
  const provider = operators(type, cluster).components.find(({ name }) => name === 'capi-provider');
  // The declaration of a provider looks at nothing but its platform's pod.
  return provider?.pod(undefined as never);
};

describe('operatorsOf', () => {
  it.each(['AWS', 'GCP', 'KubeVirt', 'None'] as const)(
    'When the platform is %s, every container should have an image and a name',
    (type) => {
      const { components } = operators(type);
      expect(components.slice(0, 2).map(({ name }) => name)).toEqual(['control-plane-operator', 'cluster-api']);
      for (const { name, image } of providerPod(type)?.containers ?? []) {
        expect(name).not.toBe('');
        expect(image).toContain('/');
      }
    },
  );
  it('When a platform has no machines, it should run no provider', () => {
    expect(providerPod('None')).toBeUndefined();
  });
  it('When a cluster names an image, its provider should run that', () => {
    const annotations = { 'hypershift.openshift.io/capi-provider-aws-image': 'registry.example.com/capa:2' };
    const image = providerPod('AWS', clusterOn('AWS', { annotations }))?.containers[0]?.image;
    expect(image).toBe('registry.example.com/capa:2');
  });
  it('When a platform runs its provider under another account, that should be made and bound to the same role', () => {
    const { components, providerAccount } = operators('GCP');
    expect(providerAccount).toBe('capi-gcp-controller-manager');
    const { manifests = [] } = components.find(({ name }) => name === 'capi-provider') ?? {};
    const added = manifests.filter(({ name }) => name === providerAccount);
    expect(added.map(({ type }) => type.kind)).toEqual(['ServiceAccount', 'RoleBinding']);
    expect(added[1]?.build({ namespace: 'clusters-demo' } as never, undefined)).toMatchObject({
      roleRef: { kind: 'Role', name: 'capi-provider' },
      subjects: [{ name: providerAccount, namespace: 'clusters-demo' }],
    });
  });
  it('When a platform needs more access, its provider should get it', () => {
    const rulesOf = (type: PlatformType) => {
      const { manifests = [] } = operators(type).components.find(({ name }) => name === 'capi-provider') ?? {};
      const role = manifests.find(({ type: { kind } }) => kind === 'Role')?.build({} as never, undefined);
      return (role as { rules: readonly unknown[] } | undefined)?.rules ?? [];
    };
    expect(rulesOf('KubeVirt').slice(-platformFor('KubeVirt').policyRules.length)).toEqual(
      platformFor('KubeVirt').policyRules,
    );
  });
});

describe('podDeclarationOf', () => {
  it('When a pod is stated in the words of the API, it should keep everything the framework does not decide', () => {
    const csi = { driver: 'secrets-store.csi.k8s.io', readOnly: true };
    const declared = podDeclarationOf({
      serviceAccountName: 'me',
      terminationGracePeriodSeconds: 10,
      volumes: [
        { name: 'tls', secret: { secretName: 'webhook', optional: true } },
        { name: 'config', configMap: { name: 'settings', items: [{ key: 'a', path: 'b' }] } },
        { name: 'token', emptyDir: { medium: 'Memory' } },
        { name: 'vault', csi },
      ],
      containers: [
        {
          name: 'manager',
          image: 'registry.example.com/manager:1',
          args: ['--v=4'],
          env: [
            { name: 'PLAIN', value: 'x' },
            { name: 'NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
            { name: 'KEY', valueFrom: { secretKeyRef: { name: 'creds', key: 'key' } } },
          ],
          ports: [{ name: 'healthz', containerPort: 9440 }],
          resources: { requests: { cpu: '10m', memory: '20Mi' } },
          volumeMounts: [{ name: 'tls', mountPath: '/tls', subPath: 'tls.crt' }],
          livenessProbe: { httpGet: { path: '/healthz', port: 'healthz' } },
        },
      ],
    });
    expect(declared).toEqual({
      serviceAccount: 'me',
      terminationGracePeriodSeconds: 10,
      volumes: {
        tls: { secret: 'webhook', optional: true },
        config: { configMap: 'settings', items: { a: 'b' } },
        token: { emptyDir: 'memory' },
        vault: { source: { csi } },
      },
      containers: [
        {
          name: 'manager',
          image: 'registry.example.com/manager:1',
          args: ['--v=4'],
          env: { PLAIN: 'x', NAMESPACE: { field: 'metadata.namespace' }, KEY: { secret: 'creds', key: 'key' } },
          ports: { healthz: 9440 },
          cpu: '10m',
          memory: '20Mi',
          mounts: { tls: '/tls#tls.crt' },
          liveness: { httpGet: { path: '/healthz', port: 'healthz' } },
        },
      ],
    });
  });
});

describe('isWebhookSecretDue', () => {
  const day = 86_400_000;
  const made = Date.parse('2026-01-01T00:00:00Z');

  it('When thirty days are left, it should be kept, and then be renewed', async () => {
    const secret = await webhookSecret(clusterOn('None'), made);
    const end = Date.parse(secret.metadata.annotations?.['auth.openshift.io/certificate-not-after'] ?? '');
    expect(Math.round((end - made) / day)).toBe(3649);
    expect(isWebhookSecretDue(secret, end - 30 * day)).toBe(false);
    expect(isWebhookSecretDue(secret, end - 30 * day + 1000)).toBe(true);
  });

  it('When its end is not written down, it should count from its creation', () => {
    const secret = { metadata: { name: 'capi-webhooks-tls', creationTimestamp: '2026-01-01T00:00:00Z' } };
    expect(isWebhookSecretDue(secret, made + day)).toBe(false);
    expect(isWebhookSecretDue(secret, made + 3620 * day)).toBe(true);
  });
});

describe('webhookSecret', () => {
  it('When it is made, its certificate should be signed by the CA beside it', async () => {
    const { data } = await webhookSecret(clusterOn('None'), Date.parse('2026-01-01T00:00:00Z'));
    const certificate = (key: string) => new X509Certificate(Buffer.from(data?.[key] ?? '', 'base64'));
    expect(certificate('tls.crt').verify(certificate('ca.crt').publicKey)).toBe(true);
    expect(certificate('tls.crt').subjectAltName).toBe('DNS:unused');
  });
});
