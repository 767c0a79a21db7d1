import { hasCapability } from '../../framework/cluster-facts.ts';
import { component } from '../../framework/component.ts';
import { type ControlPlaneContext, isOpenShiftPayload } from '../../framework/context.ts';
import { service } from '../../framework/manifest.ts';
import { serviceMonitor } from '../../framework/optional-kinds.ts';
import { scratch, secretVolume } from '../../framework/pod.ts';
import { tlsFlags } from '../../framework/tls.ts';

/** Brings the payload's manifests into the hosted cluster and reports how its operators stand. */
export const clusterVersionOperator = component('cluster-version-operator', {
  replicas: 1,
  selector: { app: 'cluster-version-operator', 'k8s-app': 'cluster-version-operator' },
  dependsOn: ['openshift-apiserver'],
  inject: { prober: {} },
  pod: (context) => ({
    ...(isOpenShiftPayload(context) ? { initContainers: initContainers(context) } : {}),
    containers: [
      {
        name: 'cluster-version-operator',
        image: 'cluster-version-operator',
        command: ['cluster-version-operator'],
        args: [
          'start',
          '--release-image',
          '$(RELEASE_IMAGE)',
          '--enable-auto-update=false',
          '--kubeconfig',
          '/etc/openshift/kubeconfig/kubeconfig',
          '--listen=0.0.0.0:8443',
          '--serving-cert-file=/etc/kubernetes/certs/server/tls.crt',
          '--serving-key-file=/etc/kubernetes/certs/server/tls.key',
          '--hypershift=true',
          '--v=4',
          ...tlsFlags(context),
        ],
        cpu: '20m',
        memory: '70Mi',
        ports: { https: 8443 },
        env: {
          PAYLOAD_OVERRIDE: '/var/payload',
          CLUSTER_PROFILE: 'ibm-cloud-managed',
          RELEASE_IMAGE: context.hcp.spec.releaseImage,
          NODE_NAME: { field: 'spec.nodeName' },
          ...(isOpenShiftPayload(context) ? {} : { CLUSTER_VERSION_JSON: clusterVersion(context) }),
        },
        mounts: {
          kubeconfig: '/etc/openshift/kubeconfig',
          payload: '/var/payload',
          'server-crt': '/etc/kubernetes/certs/server',
          'update-payloads': '/etc/cvo/updatepayloads',
        },
      },
    ],
    volumes: {
      payload: scratch,
      kubeconfig: secretVolume('service-network-admin-kubeconfig'),
      'update-payloads': scratch,
      'server-crt': secretVolume('cvo-server'),
    },
  }),
  manifests: [
    service('cluster-version-operator', { https: [8443, 'https'] }),
    serviceMonitor('cluster-version-operator', { port: 'https', serverName: 'cluster-version-operator' }),
  ],
});

/** Kinds of manifests that run on the management cluster instead, and so must not reach the hosted one. */
const withheld = [
  'manifests/*_deployment.yaml',
  'manifests/*_servicemonitor.yaml',
  'manifests/0000_50_cluster-update-console-plugin_*',
  'release-manifests/0000_50_olm_0*-pprof-*.yaml',
  'release-manifests/0000_50_olm_01-olm-operator.serviceaccount.yaml',
  'release-manifests/0000_50_olm_02-services.yaml',
  'release-manifests/0000_50_olm_0*-psm-operator.*.yaml',
  'release-manifests/0000_50_olm_00-packageserver.pdb.yaml',
  'release-manifests/0000_50_olm_07-olm-operator.deployment*.yaml',
  'release-manifests/0000_50_olm_07-collect-profiles.cronjob.yaml',
  'release-manifests/0000_50_olm_08-catalog-operator.deployment*.yaml',
  'release-manifests/0000_50_olm_15-packageserver.clusterserviceversion.yaml',
  'release-manifests/0000_50_olm_99-operatorstatus.yaml',
  'release-manifests/0000_90_olm_00-service-monitor.yaml',
  'release-manifests/0000_50_cluster-ingress-operator_0*-deployment*.yaml',
  'release-manifests/0000_50_cluster-node-tuning-operator_*-operator*.yaml',
  'release-manifests/0000_50_cluster-image-registry-operator_07-operator*.yaml',
  'release-manifests/0000_50_cluster-storage-operator_10_deployment*.yaml',
  'release-manifests/0000_50_cluster-csi-snapshot-controller-operator_07_deployment*.yaml',
  'release-manifests/0000_70_dns-operator_02-deployment*.yaml',
];

function initContainers(context: ControlPlaneContext) {
  const { featureGate } = context.hcp.spec.configuration ?? {};
  const set = featureGate?.featureSet || 'Default';
  return [
    {
      name: 'prepare-payload',
      image: context.hcp.spec.releaseImage,
      command: ['/bin/bash', '-c'],
      args: [
        `set -eu
cp -R /manifests /release-manifests /var/payload/
cd /var/payload
rm -f ${withheld.join(' ')}
grep -rl 'release.openshift.io/feature-set:' manifests | while read -r file; do
  grep -E 'release.openshift.io/feature-set:.*\\b${set}\\b' -q "$file" || rm -f "$file"
done`,
      ],
      cpu: '10m',
      memory: '20Mi',
      mounts: { payload: '/var/payload' },
    },
    {
      name: 'bootstrap',
      image: 'cli',
      command: ['/bin/bash', '-c'],
      args: [
        `set -eu
for name in openshift-config openshift-config-managed; do oc get ns "$name" || oc create ns "$name"; done
oc apply -f /var/payload/manifests/0000_00_cluster-version-operator_01_clusterversions*
printf '%s' "$CLUSTER_VERSION_JSON" | oc apply -f -
until oc apply -f /var/payload/manifests; do sleep 1; done`,
      ],
      cpu: '10m',
      memory: '10Mi',
      env: { KUBECONFIG: '/etc/kubernetes/kubeconfig', CLUSTER_VERSION_JSON: clusterVersion(context) },
      mounts: { kubeconfig: '/etc/kubernetes', payload: '/var/payload' },
    },
  ];
}

/** Every capability a hosted cluster can have; the ones that may be left out are checked below. */
const fixedCapabilities = [
  'Build',
  'CSISnapshot',
  'CloudControllerManager',
  'CloudCredential',
  'DeploymentConfig',
  'MachineAPI',
  'OperatorLifecycleManager',
  'OperatorLifecycleManagerV1',
  'Storage',
  'marketplace',
];
const optionalCapabilities = [
  'Console',
  'ImageRegistry',
  'Ingress',
  'Insights',
  'NodeTuning',
  'openshift-samples',
] as const;

function clusterVersion(context: ControlPlaneContext): string {
  const { clusterID, channel, updateService } = context.hcp.spec;
  const optional = optionalCapabilities.filter((name) => hasCapability(context, name));
  return JSON.stringify({
    apiVersion: 'config.openshift.io/v1',
    kind: 'ClusterVersion',
    metadata: { name: 'version' },
    spec: {
      clusterID: clusterID ?? '',
      ...(channel ? { channel } : {}),
      ...(updateService ? { upstream: updateService } : {}),
      capabilities: {
        baselineCapabilitySet: 'None',
        additionalEnabledCapabilities: [...fixedCapabilities, ...optional].sort(),
      },
    },
  });
}
