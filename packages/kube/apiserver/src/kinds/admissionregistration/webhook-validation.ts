import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError, isDNS1123Subdomain, validateLabelSelector } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../behaviour.ts';
import { format, required, supported } from '../rules/checks.ts';
import { reviewVersionErrors, webhookServiceErrors, webhookUrlErrors } from '../rules/webhook-client.ts';
import { fieldsOf, isSet, listOf, numberOf, stringsOf, textOf } from '../values.ts';
import { validateMatchConditions, validateRule } from './rule-validation.ts';

const sideEffects = ['None', 'NoneOnDryRun'] as const;

export function validateWebhooks(configuration: UnstructuredObject, mutating: boolean): readonly FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  listOf(configuration['webhooks']).forEach((webhook, index) => {
    const field = `webhooks[${index}]`;
    const name = textOf(webhook['name']);
    validateWebhook(errors, webhook, field, mutating);
    if (name === '') return;
    if (names.has(name)) errors.push(fieldError.duplicate(`${field}.name`, name));
    names.add(name);
  });
  return errors;
}

function validateWebhook(errors: FieldError[], webhook: Draft, field: string, mutating: boolean): void {
  validateName(errors, textOf(webhook['name']), `${field}.name`);
  listOf(webhook['rules']).forEach((rule, index) => validateRule(errors, rule, `${field}.rules[${index}]`));
  supported(errors, `${field}.failurePolicy`, webhook['failurePolicy'], ['Fail', 'Ignore']);
  supported(errors, `${field}.matchPolicy`, webhook['matchPolicy'], ['Equivalent', 'Exact']);
  if (!isSet(webhook['sideEffects']))
    errors.push(fieldError.required(`${field}.sideEffects`, 'must specify one of None, NoneOnDryRun'));
  else supported(errors, `${field}.sideEffects`, webhook['sideEffects'], sideEffects);
  const timeout = webhook['timeoutSeconds'];
  if (typeof timeout === 'number' && (timeout < 1 || timeout > 30))
    errors.push(
      fieldError.invalid(`${field}.timeoutSeconds`, timeout, 'the timeout value must be between 1 and 30 seconds'),
    );
  for (const key of ['namespaceSelector', 'objectSelector'])
    errors.push(...validateLabelSelector(fieldsOf(webhook[key]), `${field}.${key}`));
  if (mutating) supported(errors, `${field}.reinvocationPolicy`, webhook['reinvocationPolicy'], ['IfNeeded', 'Never']);
  validateClientConfig(errors, fieldsOf(webhook['clientConfig']), `${field}.clientConfig`);
  validateMatchConditions(errors, webhook['matchConditions'], `${field}.matchConditions`);
  const versions = stringsOf(webhook['admissionReviewVersions']);
  errors.push(...reviewVersionErrors(versions, `${field}.admissionReviewVersions`, 'must specify one of v1, v1beta1'));
}

/** A domain name of at least three parts, so that two authors do not collide. */
function validateName(errors: FieldError[], name: string, field: string): void {
  if (!required(errors, field, name)) return;
  format(errors, field, name, isDNS1123Subdomain);
  if (name.split('.').length < 3)
    errors.push(fieldError.invalid(field, name, 'should be a domain with at least three segments separated by dots'));
}

/** Where a webhook listens: a URL or a service, and not both. */
function validateClientConfig(errors: FieldError[], config: Draft, field: string): void {
  const hasUrl = isSet(config['url']);
  const hasService = isSet(config['service']);
  if (hasUrl === hasService) {
    errors.push(fieldError.required(field, 'exactly one of url or service is required'));
    return;
  }
  if (hasUrl) errors.push(...webhookUrlErrors(textOf(config['url']), `${field}.url`));
  else validateServiceReference(errors, fieldsOf(config['service']), `${field}.service`);
}

function validateServiceReference(errors: FieldError[], service: Draft, field: string): void {
  required(errors, `${field}.name`, service['name'], 'service name is required');
  required(errors, `${field}.namespace`, service['namespace'], 'service namespace is required');
  errors.push(...webhookServiceErrors(numberOf(service['port']), textOf(service['path']), field));
}
