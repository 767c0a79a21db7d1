/** Optional admission webhooks: what they answer and the objects that register them. Serving them is the operator's. */
export { type WebhookServiceReference, webhookConfigurations } from './configurations.ts';
export type { AdmissionRequest, AdmissionResponse, AdmissionReview } from './review.ts';
export { type Webhook, type WebhookContext, webhooks } from './webhooks.ts';
