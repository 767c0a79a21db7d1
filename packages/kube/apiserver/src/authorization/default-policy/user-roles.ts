import type { RoleSpec } from './notation.ts';
import { on, urls } from './notation.ts';

/** Roles meant for people, and those every authenticated client has. */
export const userRoles: readonly RoleSpec[] = [
  { name: 'admin', gathers: 'admin', rules: [] },
  { name: 'cluster-admin', rules: [on('*', '*', '*'), urls('*', '*')] },
  { name: 'edit', partOf: ['admin'], gathers: 'edit', rules: [] },
  {
    name: 'system:aggregate-to-admin',
    partOf: ['admin'],
    rules: [
      on('create', 'authorization.k8s.io', 'localsubjectaccessreviews'),
      on(
        'create delete deletecollection get list patch update watch',
        'rbac.authorization.k8s.io',
        'rolebindings roles',
      ),
    ],
  },
  {
    name: 'system:aggregate-to-edit',
    partOf: ['edit'],
    rules: [
      on('get list watch', 'core', 'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy'),
      on('impersonate', 'core', 'serviceaccounts'),
      on(
        'create delete deletecollection patch update',
        'core',
        'pods pods/attach pods/exec pods/portforward pods/proxy',
      ),
      on('create', 'core', 'pods/eviction'),
      on(
        'create delete deletecollection patch update',
        'core',
        'configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy',
      ),
      on('create', 'core', 'serviceaccounts/token'),
      on('create delete deletecollection patch update', 'core events.k8s.io', 'events'),
      on(
        'create delete deletecollection patch update',
        'apps',
        'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale',
      ),
      on('create delete deletecollection patch update', 'autoscaling', 'horizontalpodautoscalers'),
      on('create delete deletecollection patch update', 'batch', 'cronjobs jobs'),
      on(
        'create delete deletecollection patch update',
        'extensions',
        'daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale',
      ),
      on('create delete deletecollection patch update', 'policy', 'poddisruptionbudgets'),
      on('create delete deletecollection patch update', 'networking.k8s.io', 'ingresses networkpolicies'),
      on('create delete deletecollection get list patch update watch', 'coordination.k8s.io', 'leases'),
      on('create delete deletecollection patch update', 'resource.k8s.io', 'resourceclaims resourceclaimtemplates'),
    ],
  },
  {
    name: 'system:aggregate-to-view',
    partOf: ['view'],
    rules: [
      on(
        'get list watch',
        'core',
        'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status',
      ),
      on(
        'get list watch',
        'core',
        'bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
      ),
      on('get list watch', 'core', 'namespaces'),
      on('get list watch', 'core events.k8s.io', 'events'),
      on('get list watch', 'discovery.k8s.io', 'endpointslices'),
      on(
        'get list watch',
        'apps',
        'controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status',
      ),
      on('get list watch', 'autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status'),
      on('get list watch', 'batch', 'cronjobs cronjobs/status jobs jobs/status'),
      on(
        'get list watch',
        'extensions',
        'daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale',
      ),
      on('get list watch', 'policy', 'poddisruptionbudgets poddisruptionbudgets/status'),
      on('get list watch', 'networking.k8s.io', 'ingresses ingresses/status networkpolicies'),
      on('get list watch', 'resource.k8s.io', 'resourceclaims resourceclaims/status resourceclaimtemplates'),
    ],
  },
  {
    name: 'system:auth-delegator',
    rules: [
      on('create', 'authentication.k8s.io', 'tokenreviews'),
      on('create', 'authorization.k8s.io', 'subjectaccessreviews'),
    ],
  },
  {
    name: 'system:basic-user',
    rules: [
      on('create', 'authorization.k8s.io', 'selfsubjectaccessreviews selfsubjectrulesreviews'),
      on('create', 'authentication.k8s.io', 'selfsubjectreviews'),
    ],
  },
  {
    name: 'system:cluster-trust-bundle-discovery',
    rules: [on('get list watch', 'certificates.k8s.io', 'clustertrustbundles')],
  },
  {
    name: 'system:discovery',
    rules: [urls('get', '/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/')],
  },
  {
    name: 'system:monitoring',
    rules: [
      urls('get', '/flagz /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/* /statusz'),
      on('get', 'core', 'nodes/metrics'),
    ],
  },
  { name: 'system:public-info-viewer', rules: [urls('get', '/healthz /livez /readyz /version /version/')] },
  {
    name: 'system:service-account-issuer-discovery',
    rules: [
      urls(
        'get',
        '/.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/',
      ),
    ],
  },
  { name: 'view', partOf: ['edit'], gathers: 'view', rules: [] },
];
