import { hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { corev1, type ObjectKey } from '@hypershift-ts/kube-apimachinery';
import {
  type Controller,
  controller,
  createOrUpdate,
  deleteIfPresent,
  matching,
  ownerReference,
} from '@hypershift-ts/kube-controller';
import { controlPlaneOf } from '../control-plane.ts';
import type { GuestScope } from '../options.ts';
import { hasCapability } from '../resources/facts.ts';

const namespace = 'openshift-config-managed';
const sourceKey = 'ca-bundle.crt';

/** Certificate authorities of the hosted cluster that its controller manager must trust, and where they are copied to. */
const copies: { readonly [source: string]: { readonly name: string; readonly key: string; readonly ingress?: true } } =
  {
    'service-ca': { name: 'service-ca', key: 'service-ca.crt' },
    'default-ingress-cert': { name: 'observed-default-ingress-cert', key: 'ca.crt', ingress: true },
  };

/** Brings certificate authorities made inside the hosted cluster to its control plane. */
export function controllerManagerCaController(scope: GuestScope): Controller {
  const { guest, management, options } = scope;
  return controller({
    name: 'controller-manager-ca',
    for: {
      type: corev1.configmaps,
      cache: guest,
      namespace,
      predicate: matching(({ metadata }) => (metadata.name ?? '') in copies),
    },
    async reconcile(key, { client, signal }) {
      const copy = copies[key.name];
      const hcp = controlPlaneOf(scope);
      if (!copy || !hcp || hcp.metadata.deletionTimestamp) return;
      if (copy.ingress && !hasCapability(hcp, 'Ingress')) return;
      const target: ObjectKey = { namespace: options.namespace, name: copy.name };
      const live = management.get(corev1.configmaps, target, { namespace: options.namespace }) ?? null;
      const source = guest.get(corev1.configmaps, key, { namespace });
      if (!source) {
        await deleteIfPresent(client, corev1.configmaps, target, { live, signal });
        return;
      }
      const desired = {
        metadata: { ...target, ownerReferences: [ownerReference(hostedControlPlanes, hcp)] },
        data: { [copy.key]: source.data?.[sourceKey] ?? '' },
      };
      await createOrUpdate(client, corev1.configmaps, target, desired, { live, signal });
    },
  });
}
