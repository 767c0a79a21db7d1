/**
 * What Kubernetes 1.37 serves and this API server does not, with the reason: group-versions as `group/version`,
 * single resources as `group/version/resource`. The parity tests fail on anything missing that is not listed here.
 */
export const builtinNotServed: { readonly [name: string]: string } = {
  'admissionregistration.k8s.io/v1alpha1': 'alpha; v1 is served',
  'admissionregistration.k8s.io/v1beta1': 'beta; v1 is served',
  'certificates.k8s.io/v1beta1': 'beta; v1 is served',
  'coordination.k8s.io/v1alpha2': 'alpha; coordinated leader election is not offered',
  'coordination.k8s.io/v1beta1': 'beta; coordinated leader election is not offered',
  'internal.apiserver.k8s.io/v1alpha1': 'alpha, for several API servers of different versions on one store',
  'lifecycle.k8s.io/v1alpha1': 'alpha; policy/v1 Eviction is served',
  'resource.k8s.io/v1': 'device allocation needs drivers on real nodes',
  'resource.k8s.io/v1alpha3': 'device allocation needs drivers on real nodes',
  'resource.k8s.io/v1beta1': 'device allocation needs drivers on real nodes',
  'resource.k8s.io/v1beta2': 'device allocation needs drivers on real nodes',
  'scheduling.k8s.io/v1alpha3': 'alpha; v1 is served',
  'scheduling.k8s.io/v1beta1': 'beta; v1 is served',
  'storagemigration.k8s.io/v1': 'objects are stored in one version only, so there is nothing to migrate',
  'storagemigration.k8s.io/v1beta1': 'objects are stored in one version only, so there is nothing to migrate',
  '/v1/bindings': 'long superseded by pods/binding, which is served',
  '/v1/componentstatuses': 'deprecated since 1.19; /readyz tells more',
  '/v1/nodes/proxy': 'nodes have no proxy to reach',
  '/v1/pods/attach': 'use exec',
  '/v1/pods/portforward': 'pods listen on loopback addresses that are reachable as they are',
  '/v1/pods/proxy': 'pods listen on loopback addresses that are reachable as they are',
  '/v1/services/proxy': 'services listen on loopback addresses that are reachable as they are',
};
