import { component } from '../../framework/component.ts';
import type { ControlPlaneContext } from '../../framework/context.ts';
import { featureGatesOf } from '../../framework/feature-gates.ts';
import { configMap, type Manifest, service } from '../../framework/manifest.ts';
import { serviceMonitor } from '../../framework/optional-kinds.ts';
import { configMapVolume, https, podName, secretVolume } from '../../framework/pod.ts';
import { servingInfo } from '../../framework/tls.ts';

const kubeconfig = '/etc/kubernetes/secrets/svc-kubeconfig/kubeconfig';

/** Builds, deployment configs and image imports. */
export const openshiftControllerManager = openshiftControllers('openshift-controller-manager', {
  image: 'openshift-controller-manager',
  command: 'openshift-controller-manager',
  configuration: ({ images, ...context }) => ({
    build: { imageTemplateFormat: { format: images.get('docker-builder'), latest: false } },
    deployer: { imageTemplateFormat: { format: images.get('deployer'), latest: false } },
    dockerPullSecret: { internalRegistryHostname: 'image-registry.openshift-image-registry.svc:5000' },
    featureGates: [...featureGatesOf({ images, ...context })].sort(),
  }),
});

interface Controllers {
  readonly image: string;
  readonly command: string;
  readonly terminationGracePeriodSeconds?: number;
  readonly configuration: (context: ControlPlaneContext) => object;
}

/** OpenShift's controller managers are built alike: one configuration file, one kubeconfig, one port. */
export function openshiftControllers(name: string, { image, command, configuration, ...pod }: Controllers) {
  const manifests: readonly Manifest[] = [
    configMap(`${name}-config`, (context) => ({ 'config.yaml': configurationFile(context, configuration(context)) })),
    service(name, { https: [8443, 'https'] }),
    serviceMonitor(name, { port: 'https', serverName: name }),
  ];
  return component(name, {
    dependsOn: ['openshift-apiserver'],
    zones: true,
    pod: () => ({
      ...pod,
      containers: [
        {
          name,
          image,
          command: [command],
          args: [
            'start',
            '--config',
            '/etc/kubernetes/config/config.yaml',
            '--kubeconfig',
            kubeconfig,
            `--namespace=${name}`,
          ],
          cpu: '100m',
          memory: '100Mi',
          ports: { https: 8443 },
          env: { POD_NAME: podName, POD_NAMESPACE: name },
          mounts: {
            'client-ca': '/etc/kubernetes/client-ca',
            config: '/etc/kubernetes/config',
            kubeconfig: '/etc/kubernetes/secrets/svc-kubeconfig',
            'serving-cert': '/etc/kubernetes/certs',
          },
          liveness: https('/healthz', 8443, { delay: 30, period: 10, timeout: 5, failures: 3 }),
          readiness: https('/healthz', 8443, { period: 10, timeout: 5, failures: 10 }),
        },
      ],
      volumes: {
        config: configMapVolume(`${name}-config`),
        'serving-cert': secretVolume(`${name}-cert`),
        kubeconfig: secretVolume('service-network-admin-kubeconfig'),
        'client-ca': configMapVolume('client-ca'),
      },
    }),
    manifests,
  });
}

function configurationFile(context: ControlPlaneContext, own: object): string {
  return JSON.stringify({
    apiVersion: 'openshiftcontrolplane.config.openshift.io/v1',
    kind: 'OpenShiftControllerManagerConfig',
    ...own,
    kubeClientConfig: { kubeConfig: kubeconfig },
    leaderElection: { leaseDuration: '137s', renewDeadline: '107s', retryPeriod: '26s' },
    servingInfo: {
      ...servingInfo(context, 8443, {
        certFile: '/etc/kubernetes/certs/tls.crt',
        keyFile: '/etc/kubernetes/certs/tls.key',
      }),
      clientCA: '/etc/kubernetes/client-ca/ca.crt',
    },
  });
}
