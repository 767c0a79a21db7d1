/** KubeVirt: nodes are virtual machines of the management cluster, or of another one given by a kubeconfig. */
import { annotations, type HostedCluster, labels } from '@hypershift-ts/hypershift-api';
import type { Platform, SourceSecret } from '../platform.ts';
import { readyInfraCluster } from '../shared/infra-object.ts';
import { plainPlatform, traits } from '../shared/plain-platform.ts';
import { requireSecret, secretOf } from '../shared/secrets.ts';
import { infraIDOf } from '../shared/settings.ts';
import { managing } from '../shared/verbs.ts';
import { kubevirtGuest } from './guest.ts';
import { kubevirtFlags } from './flags.ts';
import { kubevirtMachines } from './machines.ts';
import { kubevirtProvider } from './provider.ts';

/** Secret in the control plane namespace with the kubeconfig of another infrastructure cluster. */
export const infraCredentialsName = 'kubevirt-infra-credentials';

function infraKubeconfig({ spec }: HostedCluster): SourceSecret | undefined {
  const name = spec.platform.kubevirt?.credentials?.infraKubeConfigSecret?.name;
  return name ? { name, field: 'spec.platform.kubevirt.credentials.infraKubeConfigSecret' } : undefined;
}

export const kubevirt: Platform = plainPlatform('KubeVirt', {
  machines: kubevirtMachines,
  guest: kubevirtGuest,
  traits: traits('KubeVirt', {
    virtLaunchers: true,
    bubbledConditions: ['ValidKubeVirtInfraNetworkMTU', 'KubeVirtNodesLiveMigratable'],
  }),
  infrastructure: ({ cluster, namespace }) => ({
    before: [],
    cluster: readyInfraCluster(
      'infrastructure.cluster.x-k8s.io/v1alpha1',
      'KubevirtCluster',
      {
        name: infraIDOf(cluster),
        namespace,
        annotations: {
          [annotations.cluster.key]: `${cluster.metadata.namespace}/${cluster.metadata.name}`,
        },
      },
      cluster.spec.platform.kubevirt?.credentials
        ? { infraClusterSecretRef: { kind: 'Secret', name: infraCredentialsName, namespace } }
        : {},
    ),
  }),
  provider: kubevirtProvider,
  policyRules: [
    { apiGroups: [''], resources: ['services'], verbs: managing },
    { apiGroups: ['kubevirt.io'], resources: ['virtualmachineinstances', 'virtualmachines'], verbs: managing },
    { apiGroups: ['cdi.kubevirt.io'], resources: ['datavolumes'], verbs: ['get', 'list', 'watch'] },
  ],
  sourceSecrets: (cluster) => {
    const source = infraKubeconfig(cluster);
    return source ? [source] : [];
  },
  credentials: ({ cluster, namespace, secrets }) => {
    const source = infraKubeconfig(cluster);
    if (!source) return [];
    const key = cluster.spec.platform.kubevirt?.credentials?.infraKubeConfigSecret?.key;
    return [secretOf(namespace, infraCredentialsName, requireSecret(secrets, source, key ? [key] : []))];
  },
  cloudControllerManager: {
    component: 'kubevirt-cloud-controller-manager',
    image: 'kubevirt-cloud-controller-manager',
    cloudProvider: 'kubevirt',
  },
  cloudProviderConfig: ({ metadata, spec }) => {
    const elsewhere = spec.platform.kubevirt?.credentials;
    const lines = [
      `kubeconfig: ${elsewhere ? '/etc/kubernetes/infra-kubeconfig/kubeconfig' : '""'}`,
      'loadBalancer:',
      '  enabled: true',
      '  creationPollInterval: 0',
      '  selectorless: true',
      'instancesV2:',
      '  enabled: true',
      '  zoneAndRegionEnabled: false',
      `namespace: ${JSON.stringify(elsewhere?.infraNamespace || metadata.namespace || '')}`,
      'infraLabels:',
      `  ${labels.infraId.key}: ${JSON.stringify(spec.infraID)}`,
      '',
    ];
    return [{ name: 'kubevirt-cloud-config', kind: 'ConfigMap', data: { 'cloud-config': lines.join('\n') } }];
  },
  flags: kubevirtFlags,
});
