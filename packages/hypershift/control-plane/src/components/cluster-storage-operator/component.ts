import { isNotPlatform } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';
import type { ControlPlaneContext } from '../../framework/context.ts';
import { identity, managing, rule } from '../../framework/manifest.ts';
import { configMapVolume, secretVolume } from '../../framework/pod.ts';
import { controllerConfiguration } from '../controller-configuration.ts';

const certs = '/var/run/secrets/serving-cert';
const config = '/var/run/configmaps/config/config.yaml';

/** Variables the operator reads image references from, by the payload tag they hold. */
const operandImages: Readonly<Record<string, string>> = {
  AWS_EBS_DRIVER_OPERATOR_IMAGE: 'aws-ebs-csi-driver-operator',
  AWS_EBS_DRIVER_IMAGE: 'aws-ebs-csi-driver',
  AWS_EBS_DRIVER_CONTROL_PLANE_IMAGE: 'aws-ebs-csi-driver',
  GCP_PD_DRIVER_OPERATOR_IMAGE: 'gcp-pd-csi-driver-operator',
  GCP_PD_DRIVER_IMAGE: 'gcp-pd-csi-driver',
  OPENSTACK_CINDER_DRIVER_OPERATOR_IMAGE: 'openstack-cinder-csi-driver-operator',
  OPENSTACK_CINDER_DRIVER_IMAGE: 'openstack-cinder-csi-driver',
  MANILA_DRIVER_OPERATOR_IMAGE: 'csi-driver-manila-operator',
  MANILA_DRIVER_IMAGE: 'csi-driver-manila',
  AZURE_DISK_DRIVER_OPERATOR_IMAGE: 'azure-disk-csi-driver-operator',
  AZURE_DISK_DRIVER_IMAGE: 'azure-disk-csi-driver',
  AZURE_FILE_DRIVER_OPERATOR_IMAGE: 'azure-file-csi-driver-operator',
  AZURE_FILE_DRIVER_IMAGE: 'azure-file-csi-driver',
  PROVISIONER_IMAGE: 'csi-external-provisioner',
  ATTACHER_IMAGE: 'csi-external-attacher',
  RESIZER_IMAGE: 'csi-external-resizer',
  SNAPSHOTTER_IMAGE: 'csi-external-snapshotter',
  NODE_DRIVER_REGISTRAR_IMAGE: 'csi-node-driver-registrar',
  LIVENESS_PROBE_IMAGE: 'csi-livenessprobe',
  KUBE_RBAC_PROXY_IMAGE: 'kube-rbac-proxy',
  HYPERSHIFT_IMAGE: 'token-minter',
};

export const clusterStorageOperator = component('cluster-storage-operator', {
  replicas: 1,
  selector: { name: 'cluster-storage-operator' },
  dependsOn: ['openshift-apiserver'],
  managementKasAccess: true,
  operands: true,
  enabled: isNotPlatform('IBMCloud', 'PowerVS'),
  inject: { prober: { kubeconfigVolume: 'guest-kubeconfig', requiredApis: ['operator.openshift.io,v1,Storage'] } },
  pod: (context) => ({
    labels: { app: 'cluster-storage-operator' },
    serviceAccount: 'cluster-storage-operator',
    containers: [
      {
        name: 'cluster-storage-operator',
        image: 'cluster-storage-operator',
        command: ['cluster-storage-operator', 'start'],
        args: [
          'start',
          '-v=2',
          `--config=${config}`,
          ...[`${certs}/tls.crt`, `${certs}/tls.key`, config].map((file) => `--terminate-on-files=${file}`),
          '--guest-kubeconfig=/etc/guest-kubeconfig/kubeconfig',
        ],
        cpu: '10m',
        memory: '20Mi',
        ports: { metrics: 8443 },
        env: environment(context),
        mounts: {
          'guest-kubeconfig': '/etc/guest-kubeconfig',
          'cluster-storage-operator-serving-cert': certs,
          config: '/var/run/configmaps/config',
        },
      },
    ],
    volumes: {
      'guest-kubeconfig': secretVolume('service-network-admin-kubeconfig'),
      'cluster-storage-operator-serving-cert': secretVolume('cluster-storage-operator-serving-cert'),
      config: configMapVolume('cluster-storage-operator-config'),
    },
  }),
  manifests: [
    controllerConfiguration('cluster-storage-operator-config', 8443),
    ...identity('cluster-storage-operator', [
      rule('coordination.k8s.io', ['leases'], managing),
      rule('apps', ['deployments', 'replicasets'], managing),
      rule('policy', ['poddisruptionbudgets'], managing),
      rule('', ['serviceaccounts', 'services', 'configmaps', 'pods', 'endpoints', 'events', 'secrets'], managing),
      rule(
        'rbac.authorization.k8s.io',
        ['roles', 'rolebindings'],
        ['watch', 'list', 'get', 'create', 'delete', 'patch', 'update'],
      ),
      rule('hypershift.openshift.io', ['hostedcontrolplanes'], ['watch', 'list', 'get']),
    ]),
  ],
});

function environment({ images, userRelease }: ControlPlaneContext): Readonly<Record<string, string>> {
  const known = Object.entries(operandImages).filter(([, tag]) => images.has(tag));
  return {
    OPERATOR_IMAGE_VERSION: images.release.version,
    OPERAND_IMAGE_VERSION: userRelease.version,
    ...Object.fromEntries(known.map(([variable, tag]) => [variable, images.get(tag)])),
  };
}
