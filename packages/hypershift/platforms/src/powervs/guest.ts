import { PlatformError } from '../errors.ts';
import { type GuestScope, type GuestSecret, guestSide, secretValue } from '../guest.ts';
import { settingsOf } from '../shared/settings.ts';

const apiKey = 'ibmcloud_api_key';

function keyFrom({ hcp, secret }: GuestScope, name: string): { readonly [apiKey]: string } {
  const value = secretValue(secret(name), apiKey);
  if (value !== undefined) return { [apiKey]: value };
  throw new PlatformError('PLATFORM_CREDENTIALS_INVALID', {
    message: `Secret ${hcp.metadata.namespace}/${name} with key ${apiKey} not found`,
    fix: `create the Secret beside the HostedCluster with key ${apiKey}`,
    field: 'spec.platform.powervs',
  });
}

export const powervsGuest = guestSide({
  platformStatus: ({ spec }) => {
    const { region, zone, cisInstanceCRN, resourceGroup } = settingsOf(spec.platform, 'powervs');
    return { powervs: { region, zone, cisInstanceCRN, resourceGroup } };
  },
  // Traffic to the outside takes the routes of the host, which the network of the cluster knows nothing of.
  defaultNetwork: ({ spec }) =>
    spec.networking?.networkType === 'OVNKubernetes'
      ? { ovnKubernetesConfig: { gatewayConfig: { routingViaHost: true } } }
      : {},
  credentials: (scope): readonly GuestSecret[] => {
    const settings = settingsOf(scope.hcp.spec.platform, 'powervs');
    return [
      {
        namespace: 'openshift-ingress-operator',
        name: 'cloud-credentials',
        data: keyFrom(scope, settings.ingressOperatorCloudCreds.name ?? ''),
        capability: 'Ingress',
      },
      {
        namespace: 'openshift-cluster-csi-drivers',
        name: 'ibm-powervs-cloud-credentials',
        data: keyFrom(scope, settings.storageOperatorCloudCreds.name ?? ''),
      },
      {
        namespace: 'openshift-image-registry',
        name: 'installer-cloud-credentials',
        data: keyFrom(scope, settings.imageRegistryOperatorCloudCreds.name ?? ''),
        capability: 'ImageRegistry',
      },
    ];
  },
  csiDrivers: ['powervs.csi.ibm.com'],
});
