import { annotations } from '@hypershift-ts/hypershift-api';
import {
  type KubeObject,
  type ObjectKey,
  type rbacv1,
  rbacv1 as rbac,
  type ResourceType,
} from '@hypershift-ts/kube-apimachinery';
import type { PlatformScope } from '../platform.ts';
import { settingsOf } from '../shared/settings.ts';

/** Marks access of providers to hosts, which lives in a namespace that belongs to others. */
const accessLabel = 'hypershift.openshift.io/capi-provider-agent-rbac';

const roleName = (namespace: string) => `capi-provider-role-${namespace}`;
const bindingName = (namespace: string) => `cluster-api-agent-${namespace}`;

/** The provider's access to the hosts; a Role per cluster, so that deleting one cluster leaves the others alone. */
export function agentAccess({ cluster, namespace }: PlatformScope): readonly [rbacv1.Role, rbacv1.RoleBinding] {
  const { agentNamespace } = settingsOf(cluster.spec.platform, 'agent');
  const metadata = {
    namespace: agentNamespace,
    labels: { [accessLabel]: 'true' },
    annotations: { [annotations.cluster.key]: `${cluster.metadata.namespace}/${cluster.metadata.name}` },
  };
  return [
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { ...metadata, name: roleName(namespace) },
      rules: [
        {
          apiGroups: ['agent-install.openshift.io'],
          resources: ['agents'],
          verbs: ['get', 'list', 'watch', 'update', 'patch'],
        },
      ],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { ...metadata, name: bindingName(namespace) },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: roleName(namespace) },
      subjects: [{ kind: 'ServiceAccount', name: 'capi-provider', namespace }],
    },
  ];
}

/** The same objects by name, bindings first, so that nothing is bound to a Role that is gone. */
export function agentAccessKeys({
  cluster,
  namespace,
}: PlatformScope): readonly { readonly type: ResourceType<KubeObject>; readonly key: ObjectKey }[] {
  const agentNamespace = cluster.spec.platform.agent?.agentNamespace;
  if (!agentNamespace) return [];
  return [
    { type: rbac.rolebindings, key: { namespace: agentNamespace, name: bindingName(namespace) } },
    { type: rbac.roles, key: { namespace: agentNamespace, name: roleName(namespace) } },
  ];
}
