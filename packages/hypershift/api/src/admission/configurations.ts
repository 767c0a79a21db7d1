/** The objects that make an API server call our webhooks. */
import { type Webhook, webhooks } from './webhooks.ts';

export interface WebhookServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  /** Base64 of the PEM bundle that signed the serving certificate. */
  readonly caBundle: string;
}

const name = 'hypershift.openshift.io';

function entry({ path, resource, operations, type }: Webhook, { caBundle, ...service }: WebhookServiceReference) {
  return {
    name: `${resource}.${name}`,
    clientConfig: { service: { ...service, path }, caBundle },
    rules: [{ apiGroups: [name], apiVersions: ['v1beta1'], operations, resources: [resource], scope: '*' as const }],
    sideEffects: 'None',
    timeoutSeconds: 15,
    admissionReviewVersions: ['v1'],
    ...(type === 'validating' ? { failurePolicy: 'Fail' as const } : {}),
  };
}

/** Both configurations are called alike, as upstream has them. */
export function webhookConfigurations(service: WebhookServiceReference) {
  const entries = (type: Webhook['type']) =>
    webhooks.filter((one) => one.type === type).map((one) => entry(one, service));
  return {
    mutating: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name },
      webhooks: entries('mutating'),
    },
    validating: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name },
      webhooks: entries('validating'),
    },
  } as const;
}
