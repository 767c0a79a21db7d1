import { corev1 as core, isAlreadyExists, isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { corev1, KubeObject } from '@hypershift-ts/kube-apimachinery';
import type { Controller } from '@hypershift-ts/kube-controller';
import { controller } from '@hypershift-ts/kube-controller';
import { isNamespaceTerminating } from '../workload/pod-control.ts';

const configMapName = 'kube-root-ca.crt';
const descriptionAnnotation = 'kubernetes.io/description';
// The wording is part of the wire: tools compare the whole ConfigMap.
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the ' +
  'internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/** Keeps the cluster's CA bundle in every namespace, where pods find it beside their token. */
export function rootCaPublisher(rootCa: string): Controller {
  const data = { 'ca.crt': rootCa };
  return controller<corev1.Namespace, [corev1.ConfigMap]>({
    name: 'root-ca-certificate-publisher-controller',
    for: core.namespaces,
    watches: [
      {
        type: core.configmaps,
        predicate: { created: () => false },
        map: ({ metadata }: KubeObject) =>
          metadata.name === configMapName ? [{ name: metadata.namespace ?? '' }] : [],
      },
    ],
    async reconcile({ name: namespace }, { cache, client }) {
      const found = cache.get(core.namespaces, { name: namespace });
      if (!found || found.metadata.deletionTimestamp) return;
      const live = cache.get(core.configmaps, { namespace, name: configMapName });
      const described = live?.metadata.annotations?.[descriptionAnnotation] !== undefined;
      if (live && described && live.data?.['ca.crt'] === rootCa && Object.keys(live.data).length === 1) return;
      const annotations = { ...live?.metadata.annotations, [descriptionAnnotation]: description };
      try {
        if (live) await client.update(core.configmaps, { ...live, metadata: { ...live.metadata, annotations }, data });
        else await client.create(core.configmaps, { metadata: { namespace, name: configMapName, annotations }, data });
      } catch (error) {
        if (isAlreadyExists(error) || isNotFound(error) || isNamespaceTerminating(error)) return;
        throw error;
      }
    },
  });
}
