import type { ControlPlaneContext } from '../../framework/context.ts';

/** Login tokens are recorded with their bodies in every profile but None: what was granted must be provable. */
const grants = {
  level: 'RequestResponse',
  verbs: ['create', 'update', 'patch', 'delete'],
  resources: [
    { group: 'user.openshift.io', resources: ['identities'] },
    { group: 'oauth.openshift.io', resources: ['oauthaccesstokens', 'oauthauthorizetokens'] },
  ],
};

const quiet = [
  {
    level: 'None',
    nonResourceURLs: ['/api*', '/version', '/healthz', '/readyz', '/livez'],
    userGroups: ['system:authenticated', 'system:unauthenticated'],
  },
  {
    level: 'None',
    namespaces: [''],
    users: ['system:apiserver'],
    resources: [{ group: 'apiserver.openshift.io', resources: ['apirequestcounts', 'apirequestcounts/*'] }],
  },
];

const secretive = {
  level: 'Metadata',
  resources: [
    { group: '', resources: ['secrets'] },
    { group: 'route.openshift.io', resources: ['routes'] },
    { group: 'oauth.openshift.io', resources: ['oauthclients'] },
  ],
};

const bodies: Readonly<Record<string, readonly object[]>> = {
  Default: [],
  WriteRequestBodies: [
    secretive,
    { level: 'RequestResponse', verbs: ['update', 'patch', 'create', 'delete', 'deletecollection'] },
  ],
  AllRequestBodies: [secretive, { level: 'RequestResponse' }],
};

export function auditProfile({ hcp }: Pick<ControlPlaneContext, 'hcp'>): string {
  return hcp.spec.configuration?.apiServer?.audit?.profile || 'Default';
}

/** The audit policy of a profile. */
export function auditPolicy(context: Pick<ControlPlaneContext, 'hcp'>): string {
  const profile = auditProfile(context);
  const rules =
    profile === 'None'
      ? [{ level: 'None' }]
      : [...quiet, grants, ...(bodies[profile] ?? []), { level: 'Metadata', omitStages: ['RequestReceived'] }];
  return JSON.stringify({
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    metadata: { name: 'policy' },
    omitManagedFields: true,
    omitStages: ['RequestReceived'],
    rules,
  });
}

/** `policy.yaml` and `profile` of an audit ConfigMap. */
export function auditFiles(context: Pick<ControlPlaneContext, 'hcp'>): Readonly<Record<string, string>> {
  return { 'policy.yaml': auditPolicy(context), profile: auditProfile(context) };
}
