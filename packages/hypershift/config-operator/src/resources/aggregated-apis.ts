import { apiregistrationv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { type GuestObject, kept, removed } from '../guest/guest-object.ts';
import { base64, isOAuthEnabled, required, servesOpenShiftApis } from './facts.ts';
import type { GuestInputs, ResourceGroup } from './inputs.ts';

const openshiftGroups = [
  'apps',
  'authorization',
  'build',
  'image',
  'project',
  'quota',
  'route',
  'security',
  'template',
];
const oauthGroups = ['oauth', 'user'];

/** API groups that OpenShift's own servers answer for, beside the control plane and reached through the tunnel. */
export const aggregatedApis: ResourceGroup = {
  name: 'aggregated-apis',
  objects(inputs) {
    if (!servesOpenShiftApis(inputs)) return [...openshiftGroups, ...oauthGroups].map(withoutGroup);
    return [
      ...servedBy(inputs, 'openshift-apiserver', openshiftGroups),
      ...(isOAuthEnabled(inputs.hcp)
        ? servedBy(inputs, 'openshift-oauth-apiserver', oauthGroups)
        : oauthGroups.map(withoutGroup)),
    ];
  },
};

function withoutGroup(group: string): GuestObject {
  return removed(apiregistrationv1.apiservices, { name: `v1.${group}.openshift.io` });
}

function servedBy(inputs: GuestInputs, server: string, groups: readonly string[]): readonly GuestObject[] {
  const { hcp, configMap, service } = inputs;
  const ca = required(configMap('root-ca')?.data?.['ca.crt'], 'ConfigMap', { hcp }, 'root-ca');
  const ip = required(service(server)?.spec?.clusterIP, 'Service', { hcp }, server);
  const key = { namespace: 'default', name: server };
  const ports = [{ name: 'https', port: 443, protocol: 'TCP' }];
  return [
    ...groups.map((group) =>
      kept(
        apiregistrationv1.apiservices,
        { name: `v1.${group}.openshift.io` },
        {
          spec: {
            group: `${group}.openshift.io`,
            version: 'v1',
            groupPriorityMinimum: 9900,
            versionPriority: 15,
            caBundle: base64(ca),
            service: { ...key, port: 443 },
          },
        },
      ),
    ),
    kept(corev1.services, key, { spec: { ports } }),
    kept(corev1.endpoints, key, { subsets: [{ addresses: [{ ip }], ports }] }),
  ];
}
