import type { HostedCluster, HostedControlPlane } from '@hypershift-ts/hypershift-api';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { settingsOf } from '../shared/settings.ts';

export const cloudConfigKey = 'cloud.conf';
export const cloudsKey = 'clouds.yaml';
export const caBundleKey = 'ca-bundle.pem';
export const caKey = 'cacert';

type Spec = HostedCluster['spec'] | HostedControlPlane['spec'];

/** The settings of OpenStack's cloud provider, appended to what the user wrote into the credentials. */
export function openStackConfig(spec: Spec, credentials: corev1.Secret | undefined): string {
  const { identityRef, externalNetwork } = settingsOf(spec.platform, 'openstack');
  const own = Buffer.from(credentials?.data?.[cloudConfigKey] ?? '', 'base64').toString('utf8');
  const lines = [
    '[Global]',
    'use-clouds = true',
    `clouds-file = /etc/openstack/secret/${cloudsKey}`,
    `cloud = ${identityRef.cloudName}`,
    ...(credentials?.data?.[caKey] ? [`ca-file = /etc/pki/ca-trust/extracted/pem/${caBundleKey}`] : []),
    '',
    '[LoadBalancer]',
    'max-shared-lb = 1',
    'manage-security-groups = true',
    ...(externalNetwork?.id ? [`floating-network-id = ${externalNetwork.id}`] : []),
    '',
    '[Networking]',
    `address-sort-order = ${(spec.networking?.machineNetwork ?? []).map(({ cidr }) => cidr).join(',')}`,
    '',
  ];
  return own + lines.join('\n');
}
