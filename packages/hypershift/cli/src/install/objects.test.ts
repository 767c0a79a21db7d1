import type { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { installResources } from './objects.ts';
import { installDefaults, type InstallOptions } from './options.ts';

const find = <T>(options: Partial<InstallOptions>, kind: string, name: string): T | undefined =>
  installResources({ ...installDefaults, ...options }).find(
    (object) => object.kind === kind && object.metadata.name === name,
  ) as T | undefined;
const pod = (options: Partial<InstallOptions>) =>
  find<appsv1.Deployment>(options, 'Deployment', 'operator')?.spec?.template.spec;

const oidcBucket = {
  name: 'my-bucket',
  region: 'eu-west-1',
  secret: { name: 'hypershift-operator-oidc-provider-s3-credentials', key: 'credentials' },
  credentials: '[default]\n',
} as const;

describe('installResources', () => {
  it('When nothing is asked for, the operator should know no bucket and no providers', () => {
    expect(pod({})?.containers[0]?.args).toEqual(['--namespace=$(MY_NAMESPACE)']);
    expect(pod({})?.volumes).toBeUndefined();
  });

  it('When a bucket is given, the operator should be told, credentials mounted and clients informed', () => {
    const [container] = pod({ oidcBucket })?.containers ?? [];
    expect(container?.args).toEqual(
      expect.arrayContaining([
        '--oidc-storage-provider-s3-bucket-name=my-bucket',
        '--oidc-storage-provider-s3-region=eu-west-1',
        '--oidc-storage-provider-s3-credentials=/etc/oidc-storage-provider-s3-creds/credentials',
      ]),
    );
    const mounted = container?.volumeMounts?.find(
      ({ mountPath }) => mountPath === '/etc/oidc-storage-provider-s3-creds',
    );
    const volume = pod({ oidcBucket })?.volumes?.find(({ name }) => name === mounted?.name);
    expect(volume?.secret?.secretName).toBe(oidcBucket.secret.name);
    expect(find<corev1.Secret>({ oidcBucket }, 'Secret', oidcBucket.secret.name)?.data).toHaveProperty('credentials');
    const { data } = find<corev1.ConfigMap>({ oidcBucket }, 'ConfigMap', 'oidc-storage-provider-s3-config') ?? {};
    expect(data).toEqual({ name: 'my-bucket', region: 'eu-west-1' });
  });

  it('When the Secret of a bucket exists already, none should be made', () => {
    const { credentials: _, ...existing } = oidcBucket;
    expect(find({ oidcBucket: existing }, 'Secret', oidcBucket.secret.name)).toBeUndefined();
  });

  it('When providers and a bucket of Google Cloud are given, the operator should be told', () => {
    const options = { providerImages: 'kubevirt=quay.io/capk:v1', gcpOidcBucket: 'my-bucket' };
    expect(pod(options)?.containers[0]?.args).toEqual([
      '--namespace=$(MY_NAMESPACE)',
      '--provider-images=kubevirt=quay.io/capk:v1',
      '--gcp-oidc-storage-bucket-name=my-bucket',
    ]);
  });
});
