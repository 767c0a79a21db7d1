import { guestSide, loadBalancer } from '../guest.ts';

/** The provider gives the cluster its certificates and looks after its registry. */
export const ibmcloudGuest = guestSide({
  dns: ({ spec }) => ({ baseDomain: spec.dns?.baseDomain ?? '' }),
  ingressPublishing: (hcp) =>
    hcp.spec.platform.ibmcloud?.providerType === 'UPI'
      ? { type: 'NodePortService', nodePort: { protocol: 'TCP' } }
      : loadBalancer(hcp),
  ingressController: { nodePlacement: { tolerations: [{ key: 'dedicated', value: 'edge' }] } },
  ingressCertificate: false,
  agentOnHostNetwork: false,
  agentDnsPolicy: ({ spec }) => (spec.platform.ibmcloud?.providerType === 'UPI' ? 'ClusterFirst' : 'Default'),
  apiServerProbePath: '/livez?exclude=etcd&exclude=log',
  registry: { spec: { replicas: 1, managementState: 'Removed', storage: { emptyDir: {} } } },
});
