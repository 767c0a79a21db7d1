import type { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { operatorName } from './access.ts';
import type { InstallOptions, OidcBucket } from './options.ts';

const labels = { app: 'operator', 'hypershift.openshift.io/operator-component': 'operator', name: 'operator' };
const metricsPort = 9000;
const webhookPort = 9443;
const trustBundlePath = '/etc/hypershift/trust';
const certificatePath = '/var/run/secrets/serving-cert';
const bucketVolume = 'oidc-storage-provider-s3-creds';
const bucketCredentialsPath = `/etc/${bucketVolume}`;

export const pullSecretName = 'pull-secret';
export const trustBundleName = 'user-ca-bundle';
export const servingCertificateName = 'manager-serving-cert';

const restricted: corev1.SecurityContext = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  privileged: false,
  capabilities: { drop: ['ALL'] },
};

const fromField = (name: string, fieldPath: string): corev1.EnvVar => ({
  name,
  // Servers add the version, and whoever applies the same without it later would get a conflict over it.
  valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } },
});

function operatorContainer(options: InstallOptions): corev1.Container {
  const mounts = [
    ...(options.trustBundle ? [{ name: 'trust', mountPath: trustBundlePath, readOnly: true }] : []),
    ...(options.oidcBucket ? [{ name: bucketVolume, mountPath: bucketCredentialsPath, readOnly: true }] : []),
  ];
  return {
    name: operatorName,
    image: options.image,
    imagePullPolicy: 'IfNotPresent',
    command: [...options.command],
    args: [
      '--namespace=$(MY_NAMESPACE)',
      ...(options.registryOverrides ? [`--registry-overrides=${options.registryOverrides}`] : []),
      ...(options.providerImages ? [`--provider-images=${options.providerImages}`] : []),
      ...(options.oidcBucket ? bucketArguments(options.oidcBucket) : []),
      ...(options.gcpOidcBucket ? [`--gcp-oidc-storage-bucket-name=${options.gcpOidcBucket}`] : []),
    ],
    env: [
      fromField('MY_NAMESPACE', 'metadata.namespace'),
      fromField('MY_NAME', 'metadata.name'),
      ...(options.trustBundle ? [{ name: 'NODE_EXTRA_CA_CERTS', value: `${trustBundlePath}/ca-bundle.crt` }] : []),
    ],
    ports: [{ name: 'metrics', containerPort: metricsPort, protocol: 'TCP' }],
    resources: { requests: { cpu: '10m', memory: '150Mi' } },
    securityContext: restricted,
    ...(mounts.length > 0 ? { volumeMounts: mounts } : {}),
  };
}

const bucketArguments = ({ name, region, secret }: OidcBucket): readonly string[] => [
  `--oidc-storage-provider-s3-bucket-name=${name}`,
  `--oidc-storage-provider-s3-region=${region}`,
  `--oidc-storage-provider-s3-credentials=${bucketCredentialsPath}/${secret.key}`,
];

/** The webhooks are a program of their own, in the same pod. */
function webhookContainer({ image }: InstallOptions): corev1.Container {
  return {
    name: 'webhook',
    image,
    imagePullPolicy: 'IfNotPresent',
    command: ['hypershift', 'webhook'],
    args: [`--cert-file=${certificatePath}/tls.crt`, `--key-file=${certificatePath}/tls.key`, `--port=${webhookPort}`],
    ports: [{ name: 'manager', containerPort: webhookPort, protocol: 'TCP' }],
    readinessProbe: { httpGet: { path: '/readyz', port: 'manager', scheme: 'HTTPS' } },
    resources: { requests: { cpu: '5m', memory: '50Mi' } },
    securityContext: restricted,
    volumeMounts: [{ name: 'serving-cert', mountPath: certificatePath, readOnly: true }],
  };
}

/** The operator as a workload. */
export function operatorDeployment(options: InstallOptions): appsv1.Deployment {
  const hasWebhooks = options.webhooks.length > 0;
  const volumes: corev1.Volume[] = [
    ...(options.trustBundle ? [{ name: 'trust', configMap: { name: trustBundleName } }] : []),
    ...(options.oidcBucket ? [{ name: bucketVolume, secret: { secretName: options.oidcBucket.secret.name } }] : []),
    ...(hasWebhooks ? [{ name: 'serving-cert', secret: { secretName: servingCertificateName } }] : []),
  ];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: operatorName, namespace: options.namespace, labels },
    spec: {
      replicas: options.replicas,
      selector: { matchLabels: { name: 'operator' } },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: operatorName,
          priorityClassName: 'hypershift-operator',
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          ...(options.pullSecret ? { imagePullSecrets: [{ name: pullSecretName }] } : {}),
          containers: [operatorContainer(options), ...(hasWebhooks ? [webhookContainer(options)] : [])],
          ...(volumes.length > 0 ? { volumes } : {}),
        },
      },
    },
  };
}

/** Where metrics and webhooks are found. */
export function operatorService({ namespace, webhooks }: InstallOptions): corev1.Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: operatorName, namespace, labels },
    spec: {
      type: 'ClusterIP',
      selector: { name: 'operator' },
      ports: [
        { name: 'metrics', port: 9393, protocol: 'TCP', targetPort: 'metrics' },
        ...(webhooks.length > 0
          ? [{ name: 'manager', port: 443, protocol: 'TCP' as const, targetPort: 'manager' }]
          : []),
      ],
    },
  };
}
