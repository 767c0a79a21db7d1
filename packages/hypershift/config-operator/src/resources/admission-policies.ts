import { labels } from '@hypershift-ts/hypershift-api';
import { admissionregistrationv1 } from '@hypershift-ts/kube-apimachinery';
import { type GuestObject, kept } from '../guest/guest-object.ts';
import { bootstrapUser, configOperatorUser } from '../guest/identity.ts';
import { hasCapability } from './facts.ts';
import type { ResourceGroup } from './inputs.ts';

const networkOperatorUser = 'system:serviceaccount:openshift-network-operator:cluster-network-operator';
const message =
  'This resource cannot be created, updated, or deleted. Please ask your administrator to modify the resource in the HostedCluster object.';

interface Protected {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly string[];
  readonly operations?: readonly string[];
  readonly users?: readonly string[];
  readonly objectSelector?: object;
  /** What may stay as it is without being a change; the spec unless said otherwise. */
  readonly unchanged?: string;
}

const sameSpec = 'has(object.spec) && has(oldObject.spec) && object.spec == oldObject.spec';

/** Configuration that follows the HostedCluster: users of the hosted cluster may write its status, not its spec. */
export const admissionPolicies: ResourceGroup = {
  name: 'admission-policies',
  objects({ hcp }) {
    const catalogs = hcp.spec.olmCatalogPlacement === 'guest' ? [] : ['operatorhubs'];
    const config = { group: 'config.openshift.io', version: 'v1' };
    return [
      ...policy('config', {
        ...config,
        resources: [
          'apiservers',
          'authentications',
          'featuregates',
          'images',
          'imagecontentpolicies',
          'proxies',
          'schedulers',
          'networks',
          'oauths',
          ...(hasCapability(hcp, 'Ingress') ? ['ingresses'] : []),
          ...catalogs,
        ],
      }),
      ...policy('mirror', {
        ...config,
        resources: ['imagedigestmirrorsets', 'imagetagmirrorsets', ...catalogs],
        operations: ['*'],
      }),
      ...policy('icsp', {
        group: 'operator.openshift.io',
        version: 'v1alpha1',
        resources: ['imagecontentsourcepolicies'],
        operations: ['*'],
      }),
      ...policy('infra', { ...config, resources: ['infrastructures'], users: [networkOperatorUser] }),
      // ConfigMaps have no spec and live in the core group; a policy on another group would protect nothing.
      ...policy('ntomirroredconfigmaps', {
        group: '',
        version: 'v1',
        resources: ['configmaps'],
        objectSelector: { matchLabels: { [labels.mirroredConfig.key]: 'true' } },
        unchanged: 'has(object.data) && has(oldObject.data) && object.data == oldObject.data',
      }),
    ];
  },
};

function policy(name: string, scope: Protected): readonly GuestObject[] {
  const { group, version, resources, operations = ['UPDATE', 'DELETE'], users = [], objectSelector } = scope;
  const trusted = [configOperatorUser, bootstrapUser, ...users].map((user) => `'${user}'`).join(', ');
  // On DELETE `object` is null and on CREATE `oldObject` is, and null has no fields to compare.
  const unchanged = `object != null && oldObject != null && ${scope.unchanged ?? sameSpec}`;
  return [
    kept(
      admissionregistrationv1.validatingadmissionpolicies,
      { name },
      {
        spec: {
          matchConstraints: {
            matchPolicy: 'Equivalent',
            resourceRules: [{ apiGroups: [group], apiVersions: [version], resources, operations, scope: '*' }],
            ...(objectSelector ? { objectSelector } : {}),
          },
          validations: [
            {
              expression: `request.userInfo.username in [${trusted}] || (${unchanged})`,
              message,
              reason: 'Invalid',
            },
          ],
        },
      },
    ),
    kept(
      admissionregistrationv1.validatingadmissionpolicybindings,
      { name: `${name}-binding` },
      { spec: { policyName: name, validationActions: ['Deny'] } },
    ),
  ];
}
