import { guestSide, loadBalancer } from '../guest.ts';

export const openstackGuest = guestSide({
  infrastructureSpec: () => ({
    platformSpec: { openstack: {} },
    cloudConfig: { name: 'cloud-provider-config', key: 'cloud.conf' },
  }),
  platformStatus: () => ({
    openstack: {
      cloudName: 'openstack',
      loadBalancer: { type: 'UserManaged' },
      apiServerInternalIPs: [],
      ingressIPs: [],
    },
  }),
  ingressPublishing: (hcp) => {
    const floatingIP = hcp.spec.platform.openstack?.ingressFloatingIP;
    const openstack = floatingIP ? { openstack: { floatingIP } } : {};
    return loadBalancer(hcp, { providerParameters: { type: 'OpenStack', ...openstack } });
  },
  // The operator of the registry makes a volume first and then the configuration that names it.
  registry: { spec: {}, waitsForOperator: true },
  cloudConfig: {
    from: 'openstack-cloud-config',
    keys: { 'cloud.conf': 'cloud.conf', 'ca-bundle.pem': 'ca-bundle.pem' },
  },
  csiDrivers: ['cinder.csi.openstack.org', 'manila.csi.openstack.org'],
});
