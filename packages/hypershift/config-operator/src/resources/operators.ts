import { openshift, type HostedControlPlane } from '@hypershift-ts/hypershift-api';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { kept } from '../guest/guest-object.ts';
import type { ResourceGroup } from './inputs.ts';

const cluster = { name: 'cluster' };
const managed = { logLevel: 'Normal', operatorLogLevel: 'Normal', managementState: 'Managed' };

/** How operators of the hosted cluster set up network, volumes and catalogues. */
export const operators: ResourceGroup = {
  name: 'operators',
  objects({ hcp, platform }) {
    const disableMultiNetwork = hcp.spec.operatorConfiguration?.clusterNetworkOperator?.disableMultiNetwork;
    const defaultNetwork = {
      ...platform.guest.defaultNetwork(hcp),
      ...ovnConfiguration(hcp, platform.guest.defaultNetwork(hcp)),
    };
    return [
      // Most of this cannot be changed once the network operator has read it, so it must be there first.
      kept(openshift.operatorNetworks, cluster, {
        spec: {
          managementState: 'Managed',
          ...(Object.keys(defaultNetwork).length > 0 ? { defaultNetwork } : {}),
          ...(disableMultiNetwork ? { disableMultiNetwork } : {}),
        },
      }),
      kept(openshift.storageOperators, cluster, { spec: managed }),
      kept(openshift.snapshotControllers, cluster, { spec: managed }),
      ...platform.guest.csiDrivers.map((name) => kept(openshift.clusterCSIDrivers, { name }, { spec: managed })),
      kept(corev1.serviceaccounts, { namespace: 'openshift-infra', name: 'pv-recycler-controller' }),
      ...(hcp.spec.configuration?.operatorhub
        ? [kept(openshift.operatorHubs, cluster, { spec: hcp.spec.configuration.operatorhub })]
        : []),
    ];
  },
};

/** What the user says about OVN wins over what the platform begins with. */
function ovnConfiguration({ spec }: HostedControlPlane, platformDefaults: object): object {
  const configured = spec.operatorConfiguration?.clusterNetworkOperator?.ovnKubernetesConfig;
  if (spec.networking?.networkType !== 'OVNKubernetes' || !configured) return {};
  const { ovnKubernetesConfig: defaults } = platformDefaults as { readonly ovnKubernetesConfig?: object };
  return { ovnKubernetesConfig: { ...defaults, ...configured } };
}
