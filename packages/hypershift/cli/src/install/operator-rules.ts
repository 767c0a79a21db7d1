import { clusterApiGroups, controlPlaneOperatorRules } from '@hypershift-ts/hypershift-control-plane';
import type { rbacv1 } from '@hypershift-ts/kube-apimachinery';

type Rule = rbacv1.PolicyRule;

const any = ['*'];
const read = ['get', 'list', 'watch'];
const manage = [...read, 'create', 'update', 'patch', 'delete'];
const rule = (apiGroups: readonly string[], resources: readonly string[], verbs: readonly string[]): Rule => ({
  apiGroups: [...apiGroups],
  resources: [...resources],
  verbs: [...verbs],
});
const hypershift = ['hypershift.openshift.io'];

/** What the operator does itself, in every namespace where hosted clusters and their control planes are. */
const own: readonly Rule[] = [
  rule(hypershift, ['hostedclusters'], [...read, 'update', 'patch']),
  rule(hypershift, ['nodepools'], [...read, 'update', 'patch', 'delete']),
  rule(hypershift, ['hostedclusters/status', 'nodepools/status'], ['update']),
  // OpenShift asks for this of who names an owner that may not go first.
  rule(hypershift, ['hostedclusters/finalizers', 'nodepools/finalizers'], ['update']),
  rule(hypershift, ['hostedcontrolplanes'], manage),
  rule([''], ['namespaces', 'secrets', 'configmaps', 'serviceaccounts'], manage),
  rule([''], ['services', 'endpoints'], read),
  // Whose they are: on ours, machines and clouds are simulated.
  rule([''], ['nodes'], ['list']),
  rule(['apps'], ['deployments'], manage),
  rule(['networking.k8s.io'], ['networkpolicies'], manage),
  rule(['coordination.k8s.io'], ['leases'], ['get', 'create', 'update']),
  rule(['rbac.authorization.k8s.io'], ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'], manage),
  rule(
    ['admissionregistration.k8s.io'],
    ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'],
    [...read, 'create', 'update'],
  ),
  rule(['route.openshift.io'], ['routes'], read),
  rule(['config.openshift.io'], ['networks'], ['get']),
];

/** What it hands on to the operators of each control plane; nobody can give rights that they do not have. */
const handedOn: readonly Rule[] = [
  ...controlPlaneOperatorRules,
  // Which kinds there are is for the release of Cluster API and its providers to say.
  rule(clusterApiGroups, any, manage),
  rule(['apiextensions.k8s.io'], ['customresourcedefinitions'], read),
  rule(['certificates.k8s.io'], ['certificatesigningrequests'], read),
  rule(['certificates.k8s.io'], ['certificatesigningrequests/status'], ['patch']),
  rule(['certificates.k8s.io'], ['certificatesigningrequests/approval'], ['update']),
  rule(['certificates.k8s.io'], ['signers'], ['approve', 'sign']),
];

/** What providers of infrastructure need beyond their own kinds. */
const platforms: readonly Rule[] = [
  rule(['kubevirt.io'], ['virtualmachineinstances', 'virtualmachines'], manage),
  rule(['cdi.kubevirt.io'], ['datavolumes'], read),
  rule(['openstack.k-orc.cloud'], any, manage),
  rule(['agent-install.openshift.io'], ['agents'], [...read, 'update', 'patch']),
  rule(['extensions.hive.openshift.io'], ['agentclusterinstalls'], manage),
  rule(['hive.openshift.io'], ['clusterdeployments'], manage),
];

/** Rights of the operator. */
export const operatorRules: readonly Rule[] = [...own, ...handedOn, ...platforms];
