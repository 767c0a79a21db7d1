import type { rbacv1 } from '@hypershift-ts/kube-apimachinery';

type Rule = rbacv1.PolicyRule;

const all = ['*'];
const read = ['get', 'list', 'watch'];
const write = ['create', 'update', 'patch', 'delete', 'deletecollection'];
const rule = (apiGroups: readonly string[], resources: readonly string[], verbs: readonly string[] = all): Rule => ({
  apiGroups: [...apiGroups],
  resources: [...resources],
  verbs: [...verbs],
});

/** What the operator does itself, in every namespace where hosted clusters and their control planes are. */
const own: readonly Rule[] = [
  rule(['hypershift.openshift.io', 'certificates.hypershift.openshift.io', 'scheduling.hypershift.openshift.io'], all),
  rule(['auditlogpersistence.hypershift.openshift.io'], all, read),
  rule(
    [''],
    ['namespaces', 'secrets', 'configmaps', 'configmaps/finalizers', 'serviceaccounts', 'services', 'endpoints'],
  ),
  rule([''], ['pods', 'pods/log', 'events', 'nodes', 'persistentvolumeclaims']),
  rule([''], ['persistentvolumes'], ['get']),
  rule(['events.k8s.io'], ['events'], ['create', 'patch', 'update']),
  rule(['apps'], ['deployments', 'replicasets', 'statefulsets']),
  rule(['batch'], ['cronjobs', 'jobs']),
  rule(['policy'], ['poddisruptionbudgets']),
  rule(['networking.k8s.io'], ['networkpolicies']),
  rule(['discovery.k8s.io'], ['endpointslices', 'endpointslices/restricted']),
  rule(['coordination.k8s.io'], ['leases']),
  rule(['apiextensions.k8s.io'], ['customresourcedefinitions', 'customresourcedefinitions/status']),
  rule(['rbac.authorization.k8s.io'], ['clusterroles', 'clusterrolebindings'], [...read, ...write]),
  rule(['admissionregistration.k8s.io'], ['validatingadmissionpolicies', 'validatingadmissionpolicybindings']),
  rule(
    ['admissionregistration.k8s.io'],
    ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
    [...read, 'update', 'patch'],
  ),
  rule(['cluster.x-k8s.io', 'infrastructure.cluster.x-k8s.io', 'addons.cluster.x-k8s.io'], all),
  rule(['capi-provider.agent-install.openshift.io'], all),
];

/** What it hands on to the operators of each control plane; nobody can give rights that they do not have. */
const handedOn: readonly Rule[] = [
  // The operator of a control plane makes roles for its components in its own namespace.
  rule(['rbac.authorization.k8s.io'], ['roles', 'rolebindings']),
  rule(['bootstrap.cluster.x-k8s.io', 'controlplane.cluster.x-k8s.io', 'machines.cluster.x-k8s.io'], all),
  rule(['exp.cluster.x-k8s.io', 'exp.infrastructure.cluster.x-k8s.io', 'ipam.cluster.x-k8s.io'], all),
  rule(['certificates.k8s.io'], ['certificatesigningrequests'], read),
  rule(['certificates.k8s.io'], ['certificatesigningrequests/status'], ['patch']),
  rule(['certificates.k8s.io'], ['certificatesigningrequests/approval'], ['update']),
  rule(['certificates.k8s.io'], ['signers'], ['approve', 'sign']),
  rule(['autoscaling.k8s.io'], ['verticalpodautoscalers']),
  rule(['externaldns.k8s.io'], ['dnsendpoints'], ['create', 'get', 'update', 'delete']),
];

/** Kinds that exist on OpenShift or beside a monitoring stack; the rules mean nothing elsewhere. */
const whereTheyExist: readonly Rule[] = [
  rule(['config.openshift.io'], all, read),
  rule(['route.openshift.io', 'image.openshift.io', 'operator.openshift.io', 'machine.openshift.io'], all),
  rule(['security.openshift.io'], ['securitycontextconstraints']),
  rule(['monitoring.coreos.com', 'monitoring.rhobs'], all),
];

/** What providers of infrastructure need, which the operator hands on to them. */
const platforms: readonly Rule[] = [
  rule(['kubevirt.io'], ['virtualmachineinstances', 'virtualmachines', 'virtualmachines/finalizers']),
  rule(
    ['subresources.kubevirt.io'],
    [
      'virtualmachineinstances/addvolume',
      'virtualmachineinstances/removevolume',
      'virtualmachines/addvolume',
      'virtualmachines/removevolume',
    ],
    ['update'],
  ),
  rule(['cdi.kubevirt.io'], ['datavolumes']),
  rule(['snapshot.storage.k8s.io'], ['volumesnapshots'], ['get', 'create', 'delete']),
  rule(['openstack.k-orc.cloud'], all),
  rule(['agent-install.openshift.io'], ['agents']),
  rule(['extensions.hive.openshift.io'], ['agentclusterinstalls']),
  rule(['hive.openshift.io'], ['clusterdeployments']),
];

/** Rights of the operator. */
export const operatorRules: readonly Rule[] = [...own, ...handedOn, ...whereTheyExist, ...platforms];
