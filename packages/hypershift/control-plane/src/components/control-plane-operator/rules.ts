import type { rbacv1 } from '@hypershift-ts/kube-apimachinery';
import { managing, reading, rule } from '../../framework/manifest.ts';

const privateLinks = ['awsendpointservices', 'azureprivatelinkservices', 'gcpprivateserviceconnects'];
const statusOf = (resources: readonly string[]) => resources.map((resource) => `${resource}/status`);

/** Kinds of the components' manifests: made, kept as wanted, and deleted when a component goes. */
const manifests: readonly rbacv1.PolicyRule[] = [
  rule('', ['configmaps', 'secrets', 'serviceaccounts', 'services'], managing),
  rule('apps', ['deployments', 'statefulsets'], managing),
  rule('batch', ['cronjobs', 'jobs'], managing),
  rule('policy', ['poddisruptionbudgets'], managing),
  rule('rbac.authorization.k8s.io', ['roles', 'rolebindings'], managing),
  rule('route.openshift.io', ['routes'], managing),
  // OpenShift asks for this of who names the host of a Route.
  rule('route.openshift.io', ['routes/custom-host'], ['create', 'update']),
  rule('image.openshift.io', ['imagestreams'], managing),
  rule('monitoring.coreos.com', ['podmonitors', 'servicemonitors', 'prometheusrules'], managing),
];

const own: readonly rbacv1.PolicyRule[] = [
  rule('hypershift.openshift.io', ['hostedcontrolplanes'], [...reading, 'patch']),
  rule('hypershift.openshift.io', ['hostedcontrolplanes/status'], ['patch']),
  // OpenShift asks for this of who names an owner that may not go first.
  rule('hypershift.openshift.io', ['hostedcontrolplanes/finalizers'], ['update']),
  rule('hypershift.openshift.io', ['controlplanecomponents'], managing),
  rule('hypershift.openshift.io', ['controlplanecomponents/status'], ['update']),
  rule('hypershift.openshift.io', privateLinks, managing),
  rule('hypershift.openshift.io', statusOf(privateLinks), ['patch']),
  rule('route.openshift.io', ['routes/status'], ['update']),
  rule('', ['events', 'persistentvolumeclaims', 'pods'], ['list']),
  rule('coordination.k8s.io', ['leases'], ['get', 'create', 'update']),
];

/** What it hands on to components; nobody can give rights that they do not have. */
export const handedOn: readonly rbacv1.PolicyRule[] = [
  rule('hypershift.openshift.io', ['hostedcontrolplanes/status'], ['get', 'update']),
  rule('certificates.hypershift.openshift.io', ['certificatesigningrequestapprovals'], reading),
  rule('certificates.hypershift.openshift.io', ['certificaterevocationrequests'], reading),
  rule('certificates.hypershift.openshift.io', ['certificaterevocationrequests/status'], ['patch']),
  rule('cluster.x-k8s.io', ['machines'], [...reading, 'update', 'patch', 'delete']),
  rule('cluster.x-k8s.io', ['machines/status'], reading),
  rule('cluster.x-k8s.io', ['machinedeployments', 'machinesets', 'machinepools'], [...reading, 'update', 'patch']),
  rule(
    'cluster.x-k8s.io',
    ['machinedeployments/scale', 'machinesets/scale', 'machinepools/scale'],
    ['get', 'update', 'patch'],
  ),
  rule('infrastructure.cluster.x-k8s.io', ['*'], reading),
  rule('capi-provider.agent-install.openshift.io', ['agentmachinetemplates'], reading),
  rule('', ['configmaps/finalizers'], managing),
  rule('', ['endpoints', 'events', 'pods'], managing),
  rule('apps', ['replicasets'], managing),
  rule('coordination.k8s.io', ['leases'], managing),
  rule('discovery.k8s.io', ['endpointslices'], managing),
  rule('kubevirt.io', ['virtualmachines'], reading),
  rule('kubevirt.io', ['virtualmachineinstances'], [...reading, 'update']),
];

/** Rights of the control plane operator in its namespace. */
export const controlPlaneOperatorRules: readonly rbacv1.PolicyRule[] = [...manifests, ...own, ...handedOn];
