import { labels } from '@hypershift-ts/hypershift-api';
import { admissionregistrationv1, corev1, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import { type Controller, controller, deleteIfPresent, generationChanged } from '@hypershift-ts/kube-controller';
import type { GuestScope } from '../options.ts';
import { forbiddenTarget } from './targets.ts';

/** Removes webhook configurations of the hosted cluster that would make the API server call the control plane. */
export function webhookValidationControllers(scope: GuestScope): readonly Controller[] {
  return [
    validator(scope, 'webhook-validation', admissionregistrationv1.validatingwebhookconfigurations),
    validator(scope, 'webhook-validation-mutating', admissionregistrationv1.mutatingwebhookconfigurations),
  ];
}

function validator<T extends KubeObject>(scope: GuestScope, name: string, type: ResourceType<T>): Controller {
  const { guest, management, options } = scope;
  const { namespace, hostedClient } = options;
  return controller<T, [corev1.Service]>({
    name,
    for: { type, cache: guest, predicate: { ...generationChanged, deleted: () => false } },
    watches: [
      {
        type: corev1.services,
        namespace,
        cache: management,
        predicate: { updated: () => false, deleted: () => false },
        map: () => guest.list(type).map(({ metadata }) => ({ name: metadata.name ?? '' })),
      },
    ],
    async reconcile(key, { log, signal }) {
      const live = guest.get(type, key);
      if (!live) return;
      const services = management.list(corev1.services, namespace, { namespace });
      const target = forbiddenTarget(live, services, labels.allowGuestWebhooks.key);
      if (!target) return;
      log.warn({ ...target, configuration: key.name }, 'removing a webhook that points into the control plane');
      await deleteIfPresent(hostedClient, type, key, { live, signal });
    },
  });
}
