import { hostedControlPlanes, openshift } from '@hypershift-ts/hypershift-api';
import { goYaml } from '@hypershift-ts/hypershift-ignition';
import { corev1, type JsonValue, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import {
  type Controller,
  controller,
  createOrUpdate,
  deleteIfPresent,
  ownerReference,
} from '@hypershift-ts/kube-controller';
import { controlPlaneOf } from '../control-plane.ts';
import type { GuestScope } from '../options.ts';

/** Copies configuration that users make inside the hosted cluster to where the control plane reads it. */
export function observedConfigControllers(scope: GuestScope): readonly Controller[] {
  return [
    observer(scope, openshift.builds, 'observed-config-build'),
    observer(scope, openshift.projects, 'observed-config-project'),
  ];
}

function observer<T extends KubeObject>(scope: GuestScope, type: ResourceType<T>, name: string): Controller {
  const { guest, management, options } = scope;
  const { namespace } = options;
  const target = { namespace, name };
  return controller({
    name,
    for: { type, cache: guest },
    async reconcile(key, { client, signal }) {
      const hcp = controlPlaneOf(scope);
      if (key.name !== 'cluster' || !hcp || hcp.metadata.deletionTimestamp) return;
      const live = management.get(corev1.configmaps, target, { namespace }) ?? null;
      const source = guest.get(type, key);
      if (!source) {
        await deleteIfPresent(client, corev1.configmaps, target, { live, signal });
        return;
      }
      const { apiVersion, kind, spec } = source as T & { readonly spec?: JsonValue };
      const content = { apiVersion, kind, metadata: { name: key.name }, spec: spec ?? {} };
      const desired = {
        metadata: { ...target, ownerReferences: [ownerReference(hostedControlPlanes, hcp)] },
        data: { config: goYaml(content) },
      };
      await createOrUpdate(client, corev1.configmaps, target, desired, { live, signal });
    },
  });
}
