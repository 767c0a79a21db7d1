import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import { fieldError, isDNS1035Label, isDNS1123Subdomain, isInRange } from '@hypershift-ts/kube-apimachinery';

const knownVersions = ['v1', 'v1beta1'];

/** What is wrong with the address of a webhook outside the cluster. */
export function webhookUrlErrors(text: string, field: string): FieldError[] {
  const form = '; desired format: https://host[/path]';
  const errors: FieldError[] = [];
  const invalid = (shown: string, detail: string) => errors.push(fieldError.invalid(field, shown, detail));
  if (!URL.canParse(text)) {
    // To Go this is a URL that lacks its host.
    if (/^https:\/*$/i.test(text) || text === '') invalid('', `host must be specified${form}`);
    else errors.push(fieldError.required(field, `url must be a valid URL: ${text}${form}`));
    return errors;
  }
  const url = new URL(text);
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'https') invalid(scheme, `'https' is the only allowed URL scheme${form}`);
  if (url.host === '') invalid('', `host must be specified${form}`);
  if (url.username !== '' || url.password !== '') invalid(url.username, 'user information is not permitted in the URL');
  if (url.hash !== '') invalid(url.hash.slice(1), 'fragments are not permitted in the URL');
  if (url.search !== '') invalid(url.search.slice(1), 'query parameters are not permitted in the URL');
  return errors;
}

/** What is wrong with the port and path at which a service's webhook listens. */
export function webhookServiceErrors(port: number, path: string, field: string): FieldError[] {
  const errors = isInRange(port, 1, 65535).map((wrong) =>
    fieldError.invalid(`${field}.port`, port, `port is not valid: ${wrong}`),
  );
  if (path === '' || path === '/') return errors;
  const invalid = (detail: string) => errors.push(fieldError.invalid(`${field}.path`, path, detail));
  if (!path.startsWith('/')) invalid("must start with a '/'");
  const steps = path.slice(1).replace(/\/$/, '').split('/');
  steps.forEach((step, index) => {
    if (step === '') invalid(`segment[${index}] may not be empty`);
    else for (const wrong of isDNS1123Subdomain(step)) invalid(`segment[${index}]: ${wrong}`);
  });
  return errors;
}

/** What is wrong with the versions of the review a webhook says it understands. */
export function reviewVersionErrors(versions: readonly string[], field: string, whenNone: string): FieldError[] {
  if (versions.length === 0) return [fieldError.required(field, whenNone)];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  versions.forEach((version, index) => {
    const at = `${field}[${index}]`;
    if (seen.has(version)) errors.push(fieldError.invalid(at, version, 'duplicate version'));
    else for (const wrong of isDNS1035Label(version)) errors.push(fieldError.invalid(at, version, wrong));
    seen.add(version);
  });
  if (!versions.some((version) => knownVersions.includes(version)))
    errors.push(fieldError.invalid(field, versions, `must include at least one of ${knownVersions.join(', ')}`));
  return errors;
}
