import { type FieldError, fieldError } from '@hypershift-ts/kube-apimachinery';
import { reviewVersionErrors, webhookServiceErrors, webhookUrlErrors } from '../../kinds/rules/webhook-client.ts';
import type { Conversion } from './types.ts';

/** Checks how objects travel between versions. Field paths are those of the internal form, which Kubernetes reports. */
export function validateConversion(conversion: Conversion | undefined, at: string): FieldError[] {
  if (!conversion) return [];
  const strategy: string = conversion.strategy ?? '';
  const client = conversion.webhook?.clientConfig;
  const reviews = conversion.webhook?.conversionReviewVersions ?? [];
  if (strategy === '') return [fieldError.required(`${at}.strategy`)];
  if (strategy !== 'None' && strategy !== 'Webhook') {
    return [fieldError.notSupported(`${at}.strategy`, strategy, ['None', 'Webhook'])];
  }
  if (strategy === 'None') {
    const detail = 'should not be set when strategy is not set to Webhook';
    return [
      ...(client ? [fieldError.forbidden(`${at}.webhookClientConfig`, detail)] : []),
      ...(reviews.length > 0 ? [fieldError.forbidden(`${at}.conversionReviewVersions`, detail)] : []),
    ];
  }
  return [
    ...validateClient(client, `${at}.webhookClientConfig`),
    ...reviewVersionErrors(reviews, `${at}.conversionReviewVersions`, ''),
  ];
}

type Client = NonNullable<NonNullable<Conversion['webhook']>['clientConfig']>;

function validateClient(client: Client | undefined, at: string): FieldError[] {
  if (!client) return [fieldError.required(at, 'required when strategy is set to Webhook')];
  if ((client.url === undefined) === (client.service === undefined)) {
    return [fieldError.required(at, 'exactly one of url or service is required')];
  }
  return client.url !== undefined
    ? webhookUrlErrors(client.url, `${at}.url`)
    : validateService(client.service ?? {}, `${at}.service`);
}

function validateService(service: NonNullable<Client['service']>, at: string): FieldError[] {
  return [
    // Kubernetes mixes these two up, and clients have come to see it that way.
    ...(service.namespace ? [] : [fieldError.required(`${at}.name`)]),
    ...(service.name ? [] : [fieldError.required(`${at}.namespace`)]),
    ...webhookServiceErrors(service.port ?? 443, service.path ?? '', at),
  ];
}
