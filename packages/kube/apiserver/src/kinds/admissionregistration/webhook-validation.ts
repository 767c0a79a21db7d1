import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import {
  fieldError,
  isDNS1035Label,
  isDNS1123Subdomain,
  isInRange,
  validateLabelSelector,
} from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../behaviour.ts';
import { format, required, supported } from '../rules/checks.ts';
import { fieldsOf, isEmpty, isSet, listOf, numberOf, stringsOf, textOf } from '../values.ts';
import { validateMatchConditions, validateRule } from './rule-validation.ts';

const reviewVersions = ['v1', 'v1beta1'] as const;
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
  validateReviewVersions(errors, stringsOf(webhook['admissionReviewVersions']), `${field}.admissionReviewVersions`);
}

/** A domain name of at least three parts, so that two authors do not collide. */
function validateName(errors: FieldError[], name: string, field: string): void {
  if (!required(errors, field, name)) return;
  format(errors, field, name, isDNS1123Subdomain);
  if (name.split('.').length < 3)
    errors.push(fieldError.invalid(field, name, 'should be a domain with at least three segments separated by dots'));
}

function validateReviewVersions(errors: FieldError[], versions: readonly string[], field: string): void {
  if (versions.length === 0) {
    errors.push(fieldError.required(field, 'must specify one of v1, v1beta1'));
    return;
  }
  const seen = new Set<string>();
  versions.forEach((version, index) => {
    if (seen.has(version)) errors.push(fieldError.invalid(`${field}[${index}]`, version, 'duplicate version'));
    seen.add(version);
    format(errors, `${field}[${index}]`, version, isDNS1035Label);
  });
  if (!versions.some((version) => reviewVersions.includes(version as never)))
    errors.push(fieldError.invalid(field, versions, 'must include at least one of v1, v1beta1'));
}

/** Where a webhook listens: a URL or a service, and not both. */
export function validateClientConfig(errors: FieldError[], config: Draft, field: string): void {
  const hasUrl = isSet(config['url']);
  const hasService = isSet(config['service']);
  if (hasUrl === hasService) {
    errors.push(fieldError.required(field, 'exactly one of url or service is required'));
    return;
  }
  if (hasUrl) validateUrl(errors, textOf(config['url']), `${field}.url`);
  else validateServiceReference(errors, fieldsOf(config['service']), `${field}.service`);
}

function validateUrl(errors: FieldError[], text: string, field: string): void {
  const form = '; desired format: https://host[/path]';
  const invalid = (shown: string, detail: string) => errors.push(fieldError.invalid(field, shown, detail));
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    errors.push(fieldError.required(field, `url must be a valid URL: ${text}${form}`));
    return;
  }
  if (url.protocol !== 'https:')
    invalid(url.protocol.replace(/:$/, ''), `'https' is the only allowed URL scheme${form}`);
  if (url.hostname === '') invalid(url.hostname, `host must be specified${form}`);
  if (url.username !== '' || url.password !== '') invalid(url.username, 'user information is not permitted in the URL');
  if (url.hash !== '') invalid(url.hash.slice(1), 'fragments are not permitted in the URL');
  if (url.search !== '') invalid(url.search.slice(1), 'query parameters are not permitted in the URL');
}

function validateServiceReference(errors: FieldError[], service: Draft, field: string): void {
  required(errors, `${field}.name`, service['name'], 'service name is required');
  required(errors, `${field}.namespace`, service['namespace'], 'service namespace is required');
  const port = numberOf(service['port']);
  for (const message of isInRange(port, 1, 65535))
    errors.push(fieldError.invalid(`${field}.port`, port, `port is not valid: ${message}`));
  const path = textOf(service['path']);
  if (isEmpty(path) || path === '/') return;
  if (!path.startsWith('/')) errors.push(fieldError.invalid(`${field}.path`, path, "must start with a '/'"));
  const steps = path.replace(/^\//, '').replace(/\/$/, '').split('/');
  steps.forEach((step, index) => {
    if (step === '') errors.push(fieldError.invalid(`${field}.path`, path, `segment[${index}] may not be empty`));
    else
      for (const message of isDNS1123Subdomain(step))
        errors.push(fieldError.invalid(`${field}.path`, path, `segment[${index}]: ${message}`));
  });
}
