import { annotations } from '@hypershift-ts/hypershift-api';
import { component } from '../../framework/component.ts';
import { annotationOf, type ControlPlaneContext, overridesText, releaseImageOf } from '../../framework/context.ts';
import { identity } from '../../framework/manifest.ts';
import { podMonitor } from '../../framework/optional-kinds.ts';
import { type EnvValue, http, podName, podNamespace, trustedBundle } from '../../framework/pod.ts';
import { controlPlaneOperatorRules } from './rules.ts';

/** The operator of one control plane; run by the HyperShift operator. */
export const controlPlaneOperator = component('control-plane-operator', {
  replicas: 1,
  managementKasAccess: true,
  pod: (context) => ({
    labels: { name: 'control-plane-operator' },
    serviceAccount: 'control-plane-operator',
    containers: [
      {
        name: 'control-plane-operator',
        image: 'controlplane-operator',
        command: ['/usr/bin/control-plane-operator'],
        args: [
          'run',
          '--namespace',
          '$(MY_NAMESPACE)',
          '--deployment-name',
          'control-plane-operator',
          '--metrics-addr',
          '0.0.0.0:8080',
          `--enable-ci-debug-output=${context.settings.enableCiDebugOutput ?? false}`,
          `--registry-overrides=${overridesText(context.settings.registryOverrides)}`,
          `--image-overrides=${annotationOf(context, annotations.imageOverrides.key) ?? ''}`,
        ],
        cpu: '10m',
        memory: '80Mi',
        ports: { metrics: 8080 },
        env: environment(context),
        mounts: { [trustedBundle.name]: trustedBundle.path },
        liveness: http('/healthz', 6060, { delay: 60, period: 60, timeout: 5, failures: 5 }),
        readiness: http('/readyz', 6060, { period: 10, timeout: 5, failures: 3 }),
      },
    ],
    volumes: { [trustedBundle.name]: trustedBundle.volume },
  }),
  manifests: [
    ...identity('control-plane-operator', controlPlaneOperatorRules),
    podMonitor('control-plane-operator', { port: 'metrics' }),
  ],
});

function environment(context: ControlPlaneContext): Readonly<Record<string, EnvValue>> {
  const { images, settings } = context;
  const validity = annotationOf(context, annotations.certificateValidity.key);
  const renewal = annotationOf(context, annotations.certificateRenewal.key);
  return {
    MY_NAMESPACE: podNamespace,
    POD_NAME: podName,
    CONTROL_PLANE_OPERATOR_IMAGE: images.get('controlplane-operator'),
    HOSTED_CLUSTER_CONFIG_OPERATOR_IMAGE: images.get('hosted-cluster-config-operator'),
    SOCKS5_PROXY_IMAGE: images.get('socks5-proxy'),
    AVAILABILITY_PROBER_IMAGE: images.get('availability-prober'),
    TOKEN_MINTER_IMAGE: images.get('token-minter'),
    OPERATE_ON_RELEASE_IMAGE: releaseImageOf(context),
    OPENSHIFT_IMG_OVERRIDES: settings.openshiftImageOverrides ?? '',
    CERT_ROTATION_SCALE: settings.certRotationScale ?? '24h0m0s',
    ...(validity ? { CERTIFICATE_VALIDITY: validity } : {}),
    ...(renewal ? { CERTIFICATE_RENEWAL_PERCENTAGE: renewal } : {}),
    HYPERSHIFT_FEATURESET: settings.featureSet ?? 'Default',
    ...(settings.defaultSecurityContextUid === undefined
      ? {}
      : { DEFAULT_SECURITY_CONTEXT_UID: String(settings.defaultSecurityContextUid) }),
    METRICS_SET: settings.metricsSet ?? 'Telemetry',
    ...(settings.managedService ? { MANAGED_SERVICE: settings.managedService } : {}),
  };
}
