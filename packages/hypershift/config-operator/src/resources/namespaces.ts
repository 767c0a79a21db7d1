import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { kept } from '../guest/guest-object.ts';
import { hasCapability } from './facts.ts';
import type { ResourceGroup } from './inputs.ts';

const privileged = {
  'pod-security.kubernetes.io/enforce': 'privileged',
  'pod-security.kubernetes.io/audit': 'privileged',
  'pod-security.kubernetes.io/warn': 'privileged',
};
const monitored = { 'openshift.io/cluster-monitoring': 'true' };

const labelled: { readonly [name: string]: { readonly [label: string]: string } } = {
  'openshift-apiserver': {},
  'openshift-infra': privileged,
  'openshift-cloud-controller-manager': {},
  'openshift-controller-manager': {},
  'openshift-kube-apiserver': monitored,
  'openshift-kube-controller-manager': {},
  'openshift-kube-scheduler': {},
  'openshift-etcd': {},
  'openshift-ingress': { 'network.openshift.io/policy-group': 'ingress', ...monitored },
  'openshift-authentication': {},
  'openshift-route-controller-manager': {},
};

/** Namespaces that belong to parts of the control plane, although those run elsewhere. */
export const namespaces: ResourceGroup = {
  name: 'namespaces',
  objects: ({ hcp }) =>
    Object.entries(labelled)
      .filter(([name]) => name !== 'openshift-ingress' || hasCapability(hcp, 'Ingress'))
      .map(([name, labels]) => kept(corev1.namespaces, { name }, {}, { labels })),
};
