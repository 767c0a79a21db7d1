import type { admissionregistrationv1 } from '@hypershift-ts/kube-apimachinery';
import type { NewObject } from '@hypershift-ts/kube-client';

export const creationBlockName = 'hosted-cluster-resource-cleanup';

/**
 * Stops users from making again what deletion removes. The Service it names does not exist and failing means no, so
 * every request for these is refused.
 */
export function creationBlock(): NewObject<admissionregistrationv1.ValidatingWebhookConfiguration> {
  const rule = (group: string, version: string, resources: readonly string[]) => ({
    apiGroups: [group],
    apiVersions: [version],
    resources,
    operations: ['CREATE'] as const,
    scope: '*' as const,
  });
  return {
    metadata: { name: creationBlockName },
    webhooks: [
      {
        name: 'block-resources.hypershift.openshift.io',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        timeoutSeconds: 30,
        clientConfig: {
          service: { namespace: 'default', name: 'xxx-invalid-service-xxx', path: '/validate', port: 443 },
        },
        rules: [
          rule('', 'v1', ['pods', 'persistentvolumeclaims', 'persistentvolumes', 'services']),
          rule('operator.openshift.io', 'v1', ['ingresscontrollers']),
        ],
      },
    ],
  } as unknown as NewObject<admissionregistrationv1.ValidatingWebhookConfiguration>;
}
