import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import { hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { totalClientCa } from '@hypershift-ts/hypershift-control-plane-pki';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import type { Controller, DesiredCondition } from '@hypershift-ts/kube-controller';
import { controller, createOrUpdate, matching, ownerReference, patchStatus } from '@hypershift-ts/kube-controller';
import { bundle, certificatePem } from '@hypershift-ts/kube-pki';
import { bundleOf } from '../pem-objects.ts';
import { controlPlanesIn } from '../rotation/controller.ts';
import { isSignerObject, signerClasses, signerObjects } from '../signer-class.ts';

const conditionType = 'TargetConfigControllerDegraded';

/** Joins the trust bundles of all signers into the one that the API servers' client CA includes. */
export function trustController({ namespace }: { readonly namespace: string }): Controller {
  const scope = { namespace };
  return controller<HostedControlPlane, [corev1.ConfigMap]>({
    name: 'break-glass-trust',
    for: { type: hostedControlPlanes, namespace, predicate: { updated: () => false } },
    watches: [
      {
        type: corev1.configmaps,
        namespace,
        predicate: matching(({ metadata: { name } }) => name === totalClientCa.configMap || isSignerObject(name)),
        map: (_object, { cache }) => controlPlanesIn(cache.list(hostedControlPlanes, namespace, scope)),
      },
    ],
    async reconcile(key, { cache, client, clock, signal }) {
      const hcp = cache.get(hostedControlPlanes, key, scope);
      if (!hcp || hcp.metadata.deletionTimestamp) return;
      const report = (condition: Omit<DesiredCondition, 'type'>) =>
        patchStatus(
          client,
          hostedControlPlanes,
          hcp,
          { conditions: [{ type: conditionType, ...condition }] },
          { clock, signal },
        );
      try {
        const metadata = { namespace, name: totalClientCa.configMap };
        const desired = {
          metadata: { ...metadata, ownerReferences: [ownerReference(hostedControlPlanes, hcp)] },
          data: { [totalClientCa.key]: joined(cache, namespace) },
        };
        const live = cache.get(corev1.configmaps, metadata, scope) ?? null;
        await createOrUpdate(client, corev1.configmaps, metadata, desired, { live, signal });
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        await report({ status: 'True', reason: 'SynchronizationError', message });
        throw error;
      }
      await report({ status: 'False', reason: 'AsExpected', message: '' });
    },
  });
}

function joined(cache: InformerCache, namespace: string): string {
  const bundles = signerClasses.map((signerClass) => {
    const { bundle: name } = signerObjects(signerClass);
    const configMap = cache.get(corev1.configmaps, { namespace, name }, { namespace });
    try {
      return bundleOf(configMap).map(certificatePem).join('');
    } catch (cause) {
      // One broken block would make every API server reject the whole file.
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`ConfigMap ${namespace}/${name} holds something that is not a certificate: ${reason}`, { cause });
    }
  });
  return bundle(...bundles);
}
