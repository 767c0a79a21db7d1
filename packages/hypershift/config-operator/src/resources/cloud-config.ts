import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { kept } from '../guest/guest-object.ts';
import type { ResourceGroup } from './inputs.ts';

/** Settings of the cloud provider, for tools and operators of the hosted cluster. */
export const cloudConfig: ResourceGroup = {
  name: 'cloud-config',
  objects({ platform, configMap }) {
    const wanted = platform.guest.cloudConfig;
    const source = wanted && configMap(wanted.from)?.data;
    if (!source) return [];
    const entries = Object.entries(wanted.keys).flatMap(([from, to]) => (source[from] ? [[to, source[from]]] : []));
    const key = { namespace: 'openshift-config', name: 'cloud-provider-config' };
    return [kept(corev1.configmaps, key, { data: Object.fromEntries(entries) })];
  },
};
