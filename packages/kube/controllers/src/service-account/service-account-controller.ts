import { corev1 as core, isAlreadyExists, isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { corev1, KubeObject } from '@hypershift-ts/kube-apimachinery';
import { controller } from '@hypershift-ts/kube-controller';
import { isNamespaceTerminating } from '../workload/pod-control.ts';

const accountName = 'default';
const onlyDeleted = { created: () => false, updated: () => false };

/** Gives every namespace its `default` ServiceAccount. */
export const serviceAccountController = controller<corev1.Namespace, [corev1.ServiceAccount]>({
  name: 'serviceaccount-controller',
  for: core.namespaces,
  watches: [
    {
      type: core.serviceaccounts,
      predicate: onlyDeleted,
      map: ({ metadata }: KubeObject) => (metadata.name === accountName ? [{ name: metadata.namespace ?? '' }] : []),
    },
  ],
  async reconcile({ name: namespace }, { cache, client }) {
    const found = cache.get(core.namespaces, { name: namespace });
    if (!found || found.metadata.deletionTimestamp) return;
    if (cache.get(core.serviceaccounts, { namespace, name: accountName })) return;
    try {
      await client.create(core.serviceaccounts, { metadata: { namespace, name: accountName } });
    } catch (error) {
      if (isAlreadyExists(error) || isNotFound(error) || isNamespaceTerminating(error)) return;
      throw error;
    }
  },
});
