import { type FieldError, fieldError, isDNS1035Label, isDNS1123Subdomain } from '@hypershift-ts/kube-apimachinery';
import type { Conversion } from './types.ts';

const knownReviews = ['v1', 'v1beta1'];

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
    ...validateReviewVersions(reviews, `${at}.conversionReviewVersions`),
  ];
}

type Client = NonNullable<NonNullable<Conversion['webhook']>['clientConfig']>;

function validateClient(client: Client | undefined, at: string): FieldError[] {
  if (!client) return [fieldError.required(at, 'required when strategy is set to Webhook')];
  if ((client.url === undefined) === (client.service === undefined)) {
    return [fieldError.required(at, 'exactly one of url or service is required')];
  }
  return client.url !== undefined
    ? validateUrl(client.url, `${at}.url`)
    : validateService(client.service ?? {}, `${at}.service`);
}

function validateUrl(text: string, at: string): FieldError[] {
  const form = '; desired format: https://host[/path]';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return [fieldError.invalid(at, '', `host must be specified${form}`)];
  const errors: FieldError[] = [];
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'https') errors.push(fieldError.invalid(at, scheme, `'https' is the only allowed URL scheme${form}`));
  if (url.host === '') errors.push(fieldError.invalid(at, '', `host must be specified${form}`));
  if (url.username !== '') {
    errors.push(fieldError.invalid(at, url.username, 'user information is not permitted in the URL'));
  }
  if (url.hash !== '') errors.push(fieldError.invalid(at, url.hash.slice(1), 'fragments are not permitted in the URL'));
  if (url.search !== '') {
    errors.push(fieldError.invalid(at, url.search.slice(1), 'query parameters are not permitted in the URL'));
  }
  return errors;
}

function validateService(service: NonNullable<Client['service']>, at: string): FieldError[] {
  const errors: FieldError[] = [];
  // Kubernetes mixes these two up, and clients have come to see it that way.
  if (!service.namespace) errors.push(fieldError.required(`${at}.name`));
  if (!service.name) errors.push(fieldError.required(`${at}.namespace`));
  const port = service.port ?? 443;
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    errors.push(fieldError.invalid(`${at}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'));
  }
  const { path } = service;
  if (path === undefined || path === '' || path === '/') return errors;
  if (!path.startsWith('/')) errors.push(fieldError.invalid(`${at}.path`, path, "must start with a '/'"));
  if (path === '//') return [...errors, fieldError.invalid(`${at}.path`, path, 'segment[0] may not be empty')];
  const steps = path.slice(1).replace(/\/$/, '').split('/');
  steps.forEach((step, index) => {
    if (step === '') errors.push(fieldError.invalid(`${at}.path`, path, `segment[${index}] may not be empty`));
    else {
      for (const wrong of isDNS1123Subdomain(step)) {
        errors.push(fieldError.invalid(`${at}.path`, path, `segment[${index}]: ${wrong}`));
      }
    }
  });
  return errors;
}

function validateReviewVersions(versions: readonly string[], at: string): FieldError[] {
  if (versions.length === 0) return [fieldError.required(at)];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  versions.forEach((version, index) => {
    if (seen.has(version)) {
      errors.push(fieldError.invalid(`${at}[${index}]`, version, 'duplicate version'));
      return;
    }
    seen.add(version);
    for (const wrong of isDNS1035Label(version)) errors.push(fieldError.invalid(`${at}[${index}]`, version, wrong));
  });
  if (!versions.some((version) => knownReviews.includes(version))) {
    errors.push(fieldError.invalid(at, versions, `must include at least one of ${knownReviews.join(', ')}`));
  }
  return errors;
}
