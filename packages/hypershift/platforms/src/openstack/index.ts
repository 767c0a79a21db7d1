/** OpenStack: one clouds.yaml, copied to everybody who talks to it. */
import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { CredentialScope, Platform, SourceSecret } from '../platform.ts';
import { plainPlatform } from '../shared/plain-platform.ts';
import { base64, requireSecret, secretOf } from '../shared/secrets.ts';
import { settingsOf } from '../shared/settings.ts';
import { managing } from '../shared/verbs.ts';
import { openstackGuest } from './guest.ts';
import { caBundleKey, caKey, cloudConfigKey, cloudsKey, openStackConfig } from './cloud-config.ts';
import { openStackInfrastructure } from './infrastructure.ts';
import { openStackProvider } from './provider.ts';
import { openStackMachines } from './machines.ts';

/** Secrets with clouds.yaml and a cloud configuration, by who mounts them. */
const configured = ['cloud-network-config-controller-creds', 'openstack-cloud-credentials', 'manila-cloud-credentials'];

const identity = ({ spec }: HostedCluster): SourceSecret => ({
  name: settingsOf(spec.platform, 'openstack').identityRef.name,
  field: 'spec.platform.openstack.identityRef',
});

function openStackCredentials({ cluster, namespace, secrets }: CredentialScope): readonly corev1.Secret[] {
  const source = identity(cluster);
  const { [cloudsKey]: clouds = '', [caKey]: ca } = requireSecret(secrets, source, [cloudsKey]);
  const config = base64(openStackConfig(cluster.spec, secrets.get(source.name)));
  return [
    secretOf(namespace, source.name, { [cloudsKey]: clouds, ...(ca ? { [caKey]: ca } : {}) }),
    ...configured.map((name) =>
      secretOf(namespace, name, {
        [cloudsKey]: clouds,
        ...(ca ? { [caKey]: ca, [caBundleKey]: ca } : {}),
        [cloudConfigKey]: config,
      }),
    ),
  ];
}

export const openstack: Platform = plainPlatform('OpenStack', {
  machines: openStackMachines,
  guest: openstackGuest,
  infrastructure: openStackInfrastructure,
  provider: openStackProvider,
  policyRules: [
    { apiGroups: ['ipam.cluster.x-k8s.io'], resources: ['ipaddressclaims', 'ipaddressclaims/status'], verbs: managing },
    {
      apiGroups: ['ipam.cluster.x-k8s.io'],
      resources: ['ipaddresses', 'ipaddresses/status'],
      verbs: ['create', 'delete', 'get', 'list', 'update', 'watch'],
    },
    { apiGroups: ['openstack.k-orc.cloud'], resources: ['*'], verbs: managing },
  ],
  sourceSecrets: (cluster) => (cluster.spec.platform.openstack ? [identity(cluster)] : []),
  credentials: openStackCredentials,
  cloudControllerManager: {
    component: 'openstack-cloud-controller-manager',
    image: 'openstack-cloud-controller-manager',
    cloudProvider: 'openstack',
    credentials: ({ spec }) => settingsOf(spec.platform, 'openstack').identityRef.name,
  },
  cloudProviderConfig: ({ spec }, credentials) => {
    const source = credentials?.get(settingsOf(spec.platform, 'openstack').identityRef.name);
    const ca = source?.data?.[caKey];
    const bundle = ca === undefined ? {} : { [caBundleKey]: Buffer.from(ca, 'base64').toString('utf8') };
    return [
      {
        name: 'openstack-cloud-config',
        kind: 'ConfigMap',
        data: { ...bundle, [cloudConfigKey]: openStackConfig(spec, source) },
      },
      { name: 'openstack-trusted-ca', kind: 'ConfigMap', data: { [caBundleKey]: '', ...bundle } },
    ];
  },
  flags: [
    {
      name: 'openstack-credentials-file',
      value: 'path',
      description: 'A clouds.yaml; looked for in the usual places.',
    },
    { name: 'openstack-cloud', value: 'string', default: 'openstack', description: 'Entry of clouds.yaml to use.' },
    { name: 'openstack-ca-cert-file', value: 'path', description: 'Certificate authority of the cloud.' },
    { name: 'openstack-external-network-id', value: 'string', description: 'External network.' },
    { name: 'openstack-ingress-floating-ip', value: 'string', description: 'Free floating IP for the default router.' },
    { name: 'openstack-dns-nameservers', value: 'strings', description: 'Name servers of the machines.' },
    { name: 'openstack-node-flavor', value: 'string', required: true, description: 'Flavor of the nodes.' },
    { name: 'openstack-node-image-name', value: 'string', description: 'Image instead of the one in the release.' },
    { name: 'openstack-node-availability-zone', value: 'string', description: 'Availability zone of the nodes.' },
    { name: 'openstack-node-additional-port', value: 'strings', description: 'Further ports of the nodes.' },
  ],
});
