import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import { corev1, discoveryv1, jsonEqual, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import { type Controller, controller, createOrUpdate, ownerReference } from '@hypershift-ts/kube-controller';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { controlPlaneOf } from '../control-plane.ts';
import type { GuestScope } from '../options.ts';
import { machineEndpoints, managedBy } from './endpoints.ts';

/** Services the cloud controller manager makes beside the control plane for Services of the hosted cluster. */
const tenantServiceLabel = 'cluster.x-k8s.io/tenant-service-name';
const passthroughName = 'default-ingress-passthrough-service';

/**
 * Points Services beside the control plane at the machines of the hosted cluster, where these are virtual machines of
 * the same cluster and no selector can find what listens on them.
 */
export function machineController(scope: GuestScope): Controller {
  const { management, options } = scope;
  const { namespace } = options;
  const slices = { namespace, labelSelector: `endpointslice.kubernetes.io/managed-by=${managedBy}` };
  return controller<capiv1beta1.Machine, [corev1.Service, discoveryv1.EndpointSlice]>({
    name: 'machine',
    for: {
      type: capiv1beta1.machines,
      namespace,
      predicate: { updated: (a, b) => !jsonEqual(relevant(a), relevant(b)), deleted: () => false },
    },
    watches: [
      {
        type: corev1.services,
        namespace,
        predicate: { created: isPassthrough, updated: (_before, after) => isPassthrough(after), deleted: () => false },
        map: (_service, { cache }) =>
          cache
            .list(capiv1beta1.machines, namespace, { namespace })
            .map(({ metadata }) => ({ namespace, name: metadata.name ?? '' })),
      },
      {
        type: discoveryv1.endpointslices,
        ...slices,
        predicate: { created: () => false },
        map: ({ metadata }) =>
          (metadata.ownerReferences ?? [])
            .filter(({ kind }) => kind === 'Machine')
            .map(({ name }) => ({ namespace, name })),
      },
    ],
    async reconcile(key, { client, signal }) {
      const hcp = controlPlaneOf(scope);
      const machine = management.get(capiv1beta1.machines, key, { namespace });
      if (!hcp || hcp.metadata.deletionTimestamp || !machine || runsElsewhere(hcp)) return;
      const services = management.list(corev1.services, namespace, { namespace }).filter(isPassthrough);
      for (const service of services) {
        for (const slice of machineEndpoints(service, machine)) {
          const at = { namespace, name: slice.metadata.name ?? '' };
          const live = management.get(discoveryv1.endpointslices, at, slices) ?? null;
          const owned = {
            ...slice,
            metadata: { ...slice.metadata, ownerReferences: [ownerReference(capiv1beta1.machines, machine)] },
          };
          await createOrUpdate(client, discoveryv1.endpointslices, at, owned, { live, signal });
        }
      }
    },
  });
}

const relevant = ({ metadata, status }: capiv1beta1.Machine) => [
  metadata.deletionTimestamp,
  status?.addresses,
  status?.phase,
];

/** Without a selector, and made for a Service or the default router of the hosted cluster. */
function isPassthrough(object: KubeObject): boolean {
  const { metadata, spec } = object as corev1.Service;
  if (Object.keys(spec?.selector ?? {}).length > 0) return false;
  return metadata.labels?.[tenantServiceLabel] !== undefined || (metadata.name ?? '').startsWith(passthroughName);
}

/** Virtual machines of another cluster cannot be reached from here. */
const runsElsewhere = ({ spec }: HostedControlPlane): boolean => spec.platform.kubevirt?.credentials !== undefined;
