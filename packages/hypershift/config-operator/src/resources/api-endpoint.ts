import { corev1, discoveryv1 } from '@hypershift-ts/kube-apimachinery';
import { kept } from '../guest/guest-object.ts';
import { advertiseAddressOf } from './facts.ts';
import type { ResourceGroup } from './inputs.ts';

/** Where pods find the API server behind the Service `kubernetes`: a proxy on their own node listens there. */
export const apiEndpoint: ResourceGroup = {
  name: 'api-endpoint',
  objects({ hcp, platform }) {
    const key = { namespace: 'default', name: 'kubernetes' };
    const address = advertiseAddressOf(hcp);
    const port = hcp.spec.networking?.apiServer?.port ?? platform.traits.apiServerPort;
    const ports = [{ name: 'https', port, protocol: 'TCP' }];
    return [
      kept(corev1.endpoints, key, { subsets: [{ addresses: [{ ip: address }], ports }] }),
      kept(
        discoveryv1.endpointslices,
        key,
        {
          addressType: address.includes(':') ? 'IPv6' : 'IPv4',
          endpoints: [{ addresses: [address], conditions: { ready: true, serving: true, terminating: false } }],
          ports,
        },
        { labels: { 'kubernetes.io/service-name': 'kubernetes' } },
      ),
    ];
  },
};
