import { guestSide } from '../guest.ts';

/** Ports and subnets that do not collide with those of the management cluster, in which the nodes run. */
const nested = { genevePort: 9880, v4InternalSubnet: '100.66.0.0/16' };

export const kubevirtGuest = guestSide({
  ingressPublishing: () => ({ type: 'NodePortService' }),
  ingressPassthrough: true,
  registry: { spec: { storage: { emptyDir: {} } } },
  defaultNetwork: ({ spec }) => {
    const type = spec.networking?.networkType;
    if (type === 'OpenShiftSDN') return { openshiftSDNConfig: { vxlanPort: 9879 } };
    return type === 'OVNKubernetes' ? { ovnKubernetesConfig: nested } : {};
  },
  csiDrivers: ['csi.kubevirt.io'],
});
