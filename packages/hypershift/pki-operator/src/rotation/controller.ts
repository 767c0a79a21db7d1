import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import { hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Controller } from '@hypershift-ts/kube-controller';
import { controller, matching, ownerReference } from '@hypershift-ts/kube-controller';
import type { KeySource } from '@hypershift-ts/kube-pki';
import { isSignerObject, signerClasses } from '../signer-class.ts';
import type { RotationPeriods } from './periods.ts';
import { rotate } from './rotate.ts';

export interface RotationOptions {
  readonly namespace: string;
  readonly periods: RotationPeriods;
  readonly keys: KeySource;
  readonly newSuffix: () => string;
}

/** Makes the break-glass signers, their trust bundles and client certificates, and replaces them in time. */
export function rotationController(options: RotationOptions): Controller {
  const { namespace } = options;
  const scope = { namespace };
  return controller<HostedControlPlane, [corev1.Secret, corev1.ConfigMap]>({
    name: 'break-glass-rotation',
    for: { type: hostedControlPlanes, namespace, predicate: { updated: () => false } },
    watches: [
      {
        type: corev1.secrets,
        namespace,
        predicate: matching(({ metadata }) => isSignerObject(metadata.name)),
        map: (_object, { cache }) => controlPlanesIn(cache.list(hostedControlPlanes, namespace, scope)),
      },
      {
        type: corev1.configmaps,
        namespace,
        predicate: matching(({ metadata }) => isSignerObject(metadata.name)),
        map: (_object, { cache }) => controlPlanesIn(cache.list(hostedControlPlanes, namespace, scope)),
      },
    ],
    async reconcile(key, { cache, client, clock }) {
      const hcp = cache.get(hostedControlPlanes, key, scope);
      if (!hcp || hcp.metadata.deletionTimestamp) return undefined;
      const now = clock.now();
      let next = Number.POSITIVE_INFINITY;
      for (const signerClass of signerClasses) {
        const due = await rotate(signerClass, {
          ...options,
          client,
          owner: ownerReference(hostedControlPlanes, hcp),
          now,
          live: {
            secret: (name) => cache.get(corev1.secrets, { namespace, name }, scope),
            configMap: (name) => cache.get(corev1.configmaps, { namespace, name }, scope),
          },
        });
        next = Math.min(next, due);
      }
      return { requeueAfterMs: Math.max(next - now, 1000) };
    },
  });
}

/** The keys of the control planes; there is one in a namespace. */
export function controlPlanesIn(found: readonly HostedControlPlane[]) {
  return found.map(({ metadata }) => ({ namespace: metadata.namespace ?? '', name: metadata.name ?? '' }));
}
