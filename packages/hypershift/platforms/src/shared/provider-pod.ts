import { normaliseToFour, type Version } from '@hypershift-ts/hypershift-release';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { PlatformError } from '../errors.ts';
import type { PlatformType, ProviderScope } from '../platform.ts';

/** rw-r----- as Kubernetes writes modes: in decimal. */
export const groupReadable = 0o640;
export const tokenMountPath = '/var/run/secrets/openshift/serviceaccount';
export const tokenFile = `${tokenMountPath}/token`;

export const namespaceEnv: corev1.EnvVar = {
  name: 'MY_NAMESPACE',
  valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } },
};

export const webhookTlsVolume: corev1.Volume = {
  name: 'capi-webhooks-tls',
  secret: { defaultMode: groupReadable, secretName: 'capi-webhooks-tls' },
};
export const webhookTlsMount: corev1.VolumeMount = {
  name: 'capi-webhooks-tls',
  readOnly: true,
  mountPath: '/tmp/k8s-webhook-server/serving-certs',
};

export const kubeconfigVolume: corev1.Volume = {
  name: 'svc-kubeconfig',
  secret: { defaultMode: groupReadable, secretName: 'service-network-admin-kubeconfig' },
};
export const kubeconfigMount: corev1.VolumeMount = { name: 'svc-kubeconfig', mountPath: '/etc/kubernetes' };

export const masterToleration: corev1.Toleration = { key: 'node-role.kubernetes.io/master', effect: 'NoSchedule' };

/** Health endpoints as controller-runtime serves them. */
export const healthOn9440 = {
  ports: [{ name: 'healthz', containerPort: 9440, protocol: 'TCP' }],
  livenessProbe: { httpGet: { path: '/healthz', port: 'healthz' } },
  readinessProbe: { httpGet: { path: '/readyz', port: 'healthz' } },
} as const satisfies Partial<corev1.Container>;

export const requests = (cpu: string, memory: string) => ({ requests: { cpu, memory } }) as const;

/** A volume in memory into which tokens of the hosted cluster are written. */
export const tokenVolume = (name: string): corev1.Volume => ({ name, emptyDir: { medium: 'Memory' } });

/** A side container that keeps a token of a service account of the hosted cluster fresh. */
export function tokenMinter(options: {
  readonly name: string;
  readonly image: string;
  readonly volume: string;
  readonly serviceAccount: { readonly namespace: string; readonly name: string };
}): corev1.Container {
  const { namespace, name } = options.serviceAccount;
  return {
    name: options.name,
    image: options.image,
    imagePullPolicy: 'IfNotPresent',
    command: ['/usr/bin/control-plane-operator', 'token-minter'],
    args: [
      `--service-account-namespace=${namespace}`,
      `--service-account-name=${name}`,
      '--token-audience=openshift',
      `--token-file=${tokenFile}`,
      '--kubeconfig=/etc/kubernetes/kubeconfig',
    ],
    resources: requests('10m', '30Mi'),
    volumeMounts: [{ name: options.volume, mountPath: tokenMountPath }, kubeconfigMount],
  };
}

/** Whether a release is at least the given 4.x minor; 5.x counts on from 4.23. An unknown one is not. */
export function isAtLeast(version: Version | undefined, minor: number): boolean {
  return version !== undefined && normaliseToFour(version).minor >= minor;
}

interface ImageSource {
  readonly type: PlatformType;
  readonly annotation: string;
  /** Component of the release; absent where the release holds no such image. */
  readonly component?: string;
  readonly fallback?: string;
}

/** The image of a provider: annotation, what the operator was given, the release. */
export function providerImage(scope: ProviderScope, source: ImageSource): string {
  const image =
    scope.cluster.metadata.annotations?.[source.annotation] ||
    scope.providerImages?.[source.type] ||
    (source.component && scope.image(source.component)) ||
    source.fallback;
  if (image) return image;
  throw new PlatformError('PLATFORM_IMAGE_MISSING', {
    message: `no image for the ${source.type} Cluster API provider`,
    fix: source.component
      ? `use a release with component ${source.component}, or set annotation ${source.annotation}`
      : `set annotation ${source.annotation}, or give the operator an image for ${source.type}`,
    field: `metadata.annotations[${source.annotation}]`,
  });
}
