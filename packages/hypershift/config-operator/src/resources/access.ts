import { rbacv1 } from '@hypershift-ts/kube-apimachinery';
import { type GuestObject, kept } from '../guest/guest-object.ts';
import { isOAuthEnabled } from './facts.ts';
import type { ResourceGroup } from './inputs.ts';
import { connectionChecker } from './kas-connection-checker.ts';

const rbac = 'rbac.authorization.k8s.io';
const autoupdate = { annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' } };

type Rule = {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
};

const read = ['get', 'list', 'watch'];
const rule = (group: string, resources: readonly string[], verbs: readonly string[]): Rule => ({
  apiGroups: [group],
  resources,
  verbs,
});
const events = rule('', ['events'], ['create', 'patch', 'update']);
const user = (name: string) => ({ apiGroup: rbac, kind: 'User', name });
const group = (name: string) => ({ apiGroup: rbac, kind: 'Group', name });
const account = (name: string, namespace = 'openshift-infra') => ({ kind: 'ServiceAccount', name, namespace });

function role(name: string, rules: readonly object[], extra: object = {}): GuestObject {
  return kept(rbacv1.clusterroles, { name }, { rules }, extra);
}

function binding(name: string, roleName: string, subject: object, extra: object = {}): GuestObject {
  return kept(
    rbacv1.clusterrolebindings,
    { name },
    { roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: roleName }, subjects: [subject] },
    extra,
  );
}

/** A ClusterRole and a binding of the same name for a controller that runs beside the control plane. */
function controllerAccess(name: string, serviceAccount: string, rules: readonly object[], extra: object = {}) {
  return [role(name, rules, extra), binding(name, name, account(serviceAccount), extra)];
}

function localAccess(namespace: string, name: string, rules: readonly object[], subjects: readonly object[]) {
  return [
    kept(rbacv1.roles, { namespace, name }, { rules }),
    kept(rbacv1.rolebindings, { namespace, name }, { roleRef: { apiGroup: rbac, kind: 'Role', name }, subjects }),
  ];
}

const openshiftControllers = 'system:openshift:controller';
const openshiftManager = 'system:openshift:openshift-controller-manager';

/** What nodes need to join and to renew their certificates. */
const nodes: readonly GuestObject[] = [
  binding(
    'create-csrs-for-bootstrapping',
    'system:node-bootstrapper',
    user('system:serviceaccount:openshift-machine-config-operator:node-bootstrapper'),
  ),
  binding(
    'system-bootstrap-node-renewal',
    'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
    group('system:nodes'),
  ),
];

const metrics: readonly GuestObject[] = [
  binding('hypershift-metrics-client', 'system:monitoring', user('system:serviceaccount:hypershift:prometheus')),
  role('hypershift-metrics-resources-reader', [{ nonResourceURLs: ['/metrics/resources'], verbs: ['get'] }]),
  binding(
    'hypershift-metrics-resources-reader',
    'hypershift-metrics-resources-reader',
    user('system:serviceaccount:hypershift:prometheus'),
  ),
];

const controllers: readonly GuestObject[] = [
  ...controllerAccess(`${openshiftControllers}:cluster-csr-approver-controller`, 'cluster-csr-approver-controller', [
    rule('certificates.k8s.io', ['certificatesigningrequests'], read),
    rule('certificates.k8s.io', ['certificatesigningrequests/approval'], ['update']),
    {
      ...rule('certificates.k8s.io', ['signers'], ['approve']),
      resourceNames: ['kubernetes.io/kube-apiserver-client'],
    },
    events,
  ]),
  ...controllerAccess(`${openshiftManager}:ingress-to-route-controller`, 'ingress-to-route-controller', [
    rule('', ['secrets', 'services'], read),
    rule('networking.k8s.io', ['ingress'], read),
    rule('networking.k8s.io', ['ingresses/status'], ['update']),
    rule('route.openshift.io', ['routes'], ['create', 'delete', 'patch', 'update', ...read]),
    rule('route.openshift.io', ['routes/custom-host'], ['create', 'update']),
    events,
  ]),
  ...controllerAccess(
    `${openshiftControllers}:namespace-security-allocation-controller`,
    'namespace-security-allocation-controller',
    [
      {
        apiGroups: ['security.openshift.io', 'security.internal.openshift.io'],
        resources: ['rangeallocations'],
        verbs: ['create', 'get', 'update'],
      },
      rule('', ['namespaces'], [...read, 'update', 'patch']),
      events,
    ],
  ),
  ...controllerAccess(
    `${openshiftControllers}:podsecurity-admission-label-syncer-controller`,
    'podsecurity-admission-label-syncer-controller',
    [
      rule('', ['namespaces'], [...read, 'update', 'patch']),
      events,
      rule('', ['serviceaccounts'], read),
      rule('security.openshift.io', ['securitycontextconstraints'], read),
      rule(rbac, ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'], read),
    ],
    autoupdate,
  ),
  ...controllerAccess(
    `${openshiftControllers}:privileged-namespaces-psa-label-syncer`,
    'privileged-namespaces-psa-label-syncer',
    [
      rule('', ['namespaces'], read),
      { ...rule('', ['namespaces'], ['patch']), resourceNames: ['default', 'kube-system', 'kube-public'] },
    ],
    autoupdate,
  ),
  ...controllerAccess(`${openshiftManager}:image-trigger-controller`, 'image-trigger-controller', [
    rule('apps.openshift.io', ['deploymentconfigs'], [...read, 'update']),
    rule('build.openshift.io', ['buildconfigs'], [...read, 'update']),
    rule('apps', ['deployments', 'daemonsets', 'statefulsets'], [...read, 'update']),
    rule('batch', ['cronjobs'], [...read, 'update']),
  ]),
  role(
    'system:deployer',
    [
      rule('', ['replicationcontrollers'], [...read, 'update', 'patch', 'delete']),
      rule('', ['replicationcontrollers/scale'], ['get', 'update']),
      rule('', ['pods'], ['create', ...read]),
      rule('', ['pods/log'], ['get']),
      rule('', ['events'], ['create', 'list']),
      // Some clients ask about these in the core group.
      {
        apiGroups: ['', 'image.openshift.io'],
        resources: ['imagestreamtags', 'imagetags'],
        verbs: ['create', 'update'],
      },
    ],
    autoupdate,
  ),
  binding('system:deployer', 'system:deployer', account('default-rolebindings-controller'), autoupdate),
];

const local: readonly GuestObject[] = [
  kept(
    rbacv1.rolebindings,
    { namespace: 'kube-system', name: 'authentication-reader-for-authenticated-users' },
    {
      roleRef: { apiGroup: rbac, kind: 'Role', name: 'extension-apiserver-authentication-reader' },
      subjects: [group('system:authenticated')],
    },
  ),
  ...localAccess(
    'openshift-route-controller-manager',
    'openshift-route-controllers',
    [
      { ...rule('coordination.k8s.io', ['leases'], ['get', 'update']), resourceNames: ['openshift-route-controllers'] },
      rule('coordination.k8s.io', ['leases'], ['create']),
    ],
    [account('ingress-to-route-controller')],
  ),
  ...localAccess(
    'kube-system',
    'system:openshift:leader-election-lock-kube-controller-manager',
    [rule('', ['configmaps', 'leases'], ['create'])],
    [user('system:kube-controller-manager'), account('namespace-security-allocation-controller')],
  ),
  ...localAccess(
    connectionChecker.namespace,
    connectionChecker.name,
    [{ ...rule('', ['configmaps'], ['get', 'update', 'patch']), resourceNames: [connectionChecker.configMap] }],
    [account(connectionChecker.name, connectionChecker.namespace)],
  ),
];

const oauthTokens = 'system:openshift:useroauthaccesstoken-manager';
const oauth: readonly GuestObject[] = [
  role(oauthTokens, [rule('oauth.openshift.io', ['useroauthaccesstokens'], [...read, 'delete'])], autoupdate),
  binding(oauthTokens, oauthTokens, group('system:authenticated:oauth'), autoupdate),
];

/** Who may do what in the hosted cluster from the start. */
export const access: ResourceGroup = {
  name: 'access',
  objects: ({ hcp }) => [...nodes, ...metrics, ...controllers, ...local, ...(isOAuthEnabled(hcp) ? oauth : [])],
};
