import { admissionregistrationv1, rbacv1 } from '@hypershift-ts/kube-apimachinery';
import { kept } from '../guest/guest-object.ts';
import { base64, required, servesOpenShiftApis } from './facts.ts';
import type { ResourceGroup } from './inputs.ts';

/** The webhook beside the API server that gives pods their cloud role, where the release has its image. */
export const podIdentity: ResourceGroup = {
  name: 'pod-identity',
  objects(inputs) {
    const wanted = inputs.platform.guest.podIdentityWebhook;
    if (!wanted || !servesOpenShiftApis(inputs)) return [];
    const { name, account, webhook } = wanted;
    const ca = required(inputs.configMap('root-ca')?.data?.['ca.crt'], 'ConfigMap', inputs, 'root-ca');
    const { clientConfig, ...rest } = webhook as { readonly clientConfig: object };
    const role = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: account };
    return [
      kept(
        rbacv1.clusterroles,
        { name: account },
        { rules: [{ apiGroups: [''], resources: ['serviceaccounts'], verbs: ['get', 'list', 'watch'] }] },
      ),
      kept(
        rbacv1.clusterrolebindings,
        { name: account },
        {
          roleRef: role,
          subjects: [{ kind: 'ServiceAccount', name: account, namespace: 'openshift-authentication' }],
        },
      ),
      kept(
        admissionregistrationv1.mutatingwebhookconfigurations,
        { name },
        { webhooks: [{ ...rest, clientConfig: { ...clientConfig, caBundle: base64(ca) } }] },
      ),
    ];
  },
};
