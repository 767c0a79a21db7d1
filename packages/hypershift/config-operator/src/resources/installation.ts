import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { kept } from '../guest/guest-object.ts';
import type { ResourceGroup } from './inputs.ts';

/** Who installed the cluster and with which version; the version stays what it was first. */
export const installation: ResourceGroup = {
  name: 'installation',
  objects({ release, seen }) {
    const key = { namespace: 'openshift-config', name: 'openshift-install' };
    const version = seen(corev1.configmaps, key)?.data?.['version'] ?? release.version;
    return [kept(corev1.configmaps, key, { data: { invoker: 'hypershift', version } })];
  },
};
