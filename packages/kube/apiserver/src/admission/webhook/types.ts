import type { KubeObject, LabelSelector } from '@hypershift-ts/kube-apimachinery';
import type { MatchCondition } from '../expressions/match-conditions.ts';
import type { ResourceRule } from '../matching/rules.ts';
import type { ClientConfig } from '../webhook-client/index.ts';

/** One webhook of a ValidatingWebhookConfiguration or MutatingWebhookConfiguration. */
export interface Webhook {
  readonly name: string;
  readonly clientConfig: ClientConfig;
  readonly rules?: readonly ResourceRule[];
  readonly failurePolicy?: string;
  readonly matchPolicy?: string;
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly sideEffects?: string;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[];
  readonly matchConditions?: readonly MatchCondition[];
  readonly reinvocationPolicy?: string;
}

export interface WebhookConfiguration extends KubeObject {
  readonly webhooks?: readonly Webhook[];
}
