import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import { type GuestSecret, guestSide, loadBalancer } from '../guest.ts';
import { settingsOf } from '../shared/settings.ts';
import { webIdentityProfile } from './credentials.ts';

/** How pods of the hosted cluster take a role: with the token of their service account. */
const webIdentity = (role: string, region: string, field: string) => ({
  credentials: webIdentityProfile(role, region, `spec.platform.aws.rolesRef.${field}`),
});

function roleSecrets({ spec }: HostedControlPlane): readonly GuestSecret[] {
  const { region, rolesRef } = settingsOf(spec.platform, 'aws');
  return [
    {
      namespace: 'openshift-cluster-csi-drivers',
      name: 'ebs-cloud-credentials',
      data: webIdentity(rolesRef.storageARN, region, 'storageARN'),
    },
    {
      namespace: 'openshift-ingress-operator',
      name: 'cloud-credentials',
      data: webIdentity(rolesRef.ingressARN, region, 'ingressARN'),
      capability: 'Ingress',
    },
    {
      namespace: 'openshift-image-registry',
      name: 'installer-cloud-credentials',
      data: webIdentity(rolesRef.imageRegistryARN, region, 'imageRegistryARN'),
      capability: 'ImageRegistry',
    },
  ];
}

export const awsGuest = guestSide({
  infrastructureSpec: () => ({ platformSpec: { aws: {} } }),
  platformStatus: ({ spec }) => {
    const { region, resourceTags = [] } = settingsOf(spec.platform, 'aws');
    // Drivers for volumes refuse tags with this prefix, and they use what stands here.
    const tags = resourceTags.filter(({ key }) => !key.startsWith('kubernetes.io'));
    return { aws: { region, resourceTags: tags.map(({ key, value }) => ({ key, value: value ?? '' })) } };
  },
  isPrivate: ({ spec }) => (spec.platform.aws?.endpointAccess ?? 'Public') !== 'Public',
  installConfig: ({ spec }) => ({ region: settingsOf(spec.platform, 'aws').region }),
  dns: ({ spec }) => {
    const role = spec.platform.aws?.sharedVPC?.rolesRef.ingressARN;
    return role ? { platform: { type: 'AWS', aws: { privateZoneIAMRole: role } } } : {};
  },
  ingressPublishing: (hcp) => {
    const balancer = hcp.spec.configuration?.ingress?.loadBalancer?.platform?.aws?.type;
    if (balancer !== 'NLB') return { type: 'LoadBalancerService' };
    return loadBalancer(hcp, {
      providerParameters: { type: 'AWS', aws: { type: 'NLB', networkLoadBalancer: {} } },
    });
  },
  noProxy: ({ spec }) => {
    const { region } = settingsOf(spec.platform, 'aws');
    return ['169.254.169.254', region === 'us-east-1' ? '.ec2.internal' : `.${region}.compute.internal`];
  },
  credentials: ({ hcp }) => roleSecrets(hcp),
  podIdentityWebhook: {
    name: 'aws-pod-identity',
    account: 'aws-pod-identity-webhook',
    webhook: {
      name: 'pod-identity-webhook.amazonaws.com',
      admissionReviewVersions: ['v1beta1'],
      failurePolicy: 'Ignore',
      sideEffects: 'None',
      clientConfig: { url: 'https://127.0.0.1:4443/mutate' },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }],
    },
  },
  csiDrivers: ['ebs.csi.aws.com'],
  syncsPullSecrets: true,
  interruptsMachines: true,
});
