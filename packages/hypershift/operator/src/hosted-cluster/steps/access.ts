import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { done, waiting } from '@hypershift-ts/kube-controller';
import { backCopies, backCopyOf } from '../../copied-objects/index.ts';
import { ensure, find, remove } from '../live.ts';
import type { ClusterStep } from './step.ts';

/** What users need to log in, beside the cluster. */
export const accessStep: ClusterStep = {
  name: 'KubeconfigAndPasswordSync',
  kind: 'best-effort',
  async run({ cluster, namespace, hostedControlPlane }, context) {
    if (!hostedControlPlane) return done();
    for (const copy of backCopies(cluster, hostedControlPlane)) {
      const key = { namespace: cluster.metadata.namespace ?? '', name: copy.target };
      if (!copy.source) {
        await remove(context, corev1.secrets, key);
        continue;
      }
      const source = await find(context, corev1.secrets, { namespace, name: copy.source.name });
      if (!source) return waiting('NotFound', `Secret ${namespace}/${copy.source.name} does not exist yet`);
      await ensure(context, backCopyOf(cluster, copy, source));
    }
    return done();
  },
};
