import { hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import type { Platform } from '@hypershift-ts/hypershift-platforms';
import { apiVersionOf, corev1, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import { type Controller, controller, createOrUpdate } from '@hypershift-ts/kube-controller';

/** The Service whose load balancer private clusters are reached by. */
const balancer = 'private-router';

/** Makes the object that stands for a control plane's private link, once its load balancer has an address. */
export function privateLinkObjects(platform: Platform, namespace: string): Controller | undefined {
  const type = platform.traits.privateConnectivity?.type;
  const link = platform.privateLink;
  if (!type || !link) return undefined;
  // Whoever deletes the object ends the link; it comes back with another load balancer only.
  const made = new Set<string>();
  return controller<corev1.Service, KubeObject[]>({
    name: 'private-link-objects',
    for: { type: corev1.services, namespace },
    watches: [{ type: hostedControlPlanes, namespace, map: () => [{ namespace, name: balancer }] }],
    async reconcile({ name }, { cache, client, signal }) {
      if (name !== balancer) return;
      const service = cache.get(corev1.services, { namespace, name }, { namespace });
      const [hcp] = cache.list(hostedControlPlanes, namespace, { namespace });
      const ingress = service?.status?.loadBalancer?.ingress?.[0];
      const address = ingress?.ip ?? ingress?.hostname;
      if (!service || !hcp || hcp.metadata.deletionTimestamp || !address) return;
      const spec = link.spec(hcp, service, address);
      const uid = service.metadata.uid ?? '';
      if (!spec || made.has(`${uid} ${JSON.stringify(spec)}`)) return;
      const owner = { apiVersion: apiVersionOf(hostedControlPlanes), kind: hostedControlPlanes.kind };
      const { name: ownerName = '', uid: ownerUid = '' } = hcp.metadata;
      const metadata = { name, namespace, ownerReferences: [{ ...owner, name: ownerName, uid: ownerUid }] };
      await createOrUpdate(client, type, { namespace, name }, { metadata, spec } as never, { signal });
      made.add(`${uid} ${JSON.stringify(spec)}`);
    },
  });
}
