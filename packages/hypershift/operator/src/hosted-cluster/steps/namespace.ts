import { annotations } from '@hypershift-ts/hypershift-api';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { done, waiting } from '@hypershift-ts/kube-controller';
import { desiredNamespace, isNamespaceOf } from '../../namespace/index.ts';
import { ensure, find } from '../live.ts';
import type { ClusterStep } from './step.ts';

/** The namespace of the control plane; everything else lives in it. */
export const namespaceStep: ClusterStep = {
  name: 'CPOImageAndNamespace',
  kind: 'critical',
  async run({ cluster, namespace, options, controlPlaneOperator }, context) {
    if (controlPlaneOperator instanceof Error) throw controlPlaneOperator;
    const live = await find(context, corev1.namespaces, { name: namespace });
    if (live && !isNamespaceOf(live, cluster)) {
      const owner = live.metadata.annotations?.[annotations.cluster.key];
      throw new Error(
        `Namespace ${namespace} holds the control plane of HostedCluster ${owner}; give this cluster another name`,
      );
    }
    if (live?.metadata.deletionTimestamp)
      return waiting('NamespaceTerminating', `Namespace ${namespace} of a former cluster is still being deleted`);
    const facts = {
      restrictedPodSecurity: controlPlaneOperator?.capabilities.restrictedPodSecurity ?? false,
      clusterMonitoring: options.clusterMonitoring ?? false,
      securityContextUid: options.uids?.of(namespace, live, () => context.cache.list(corev1.namespaces)),
    };
    await ensure(context, desiredNamespace(cluster, facts));
    return done();
  },
};
