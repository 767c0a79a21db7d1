import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import { fieldError, isDNS1123Label, isDNS1123Subdomain } from '@hypershift-ts/kube-apimachinery';

const maxDomain = 253;
const maxPath = 253 + 1 + 63;

/** `example.com/signer-name`: a domain of at least two labels and a path. */
export function validateSignerName(field: string, name: string): FieldError[] {
  if (name === '') return [fieldError.required(field)];
  const segments = name.split('/');
  const [domain, path] = segments;
  if (segments.length !== 2 || domain === undefined || path === undefined)
    return [
      fieldError.invalid(
        field,
        name,
        "must be a fully qualified domain and path of the form 'example.com/signer-name'",
      ),
    ];
  const errors: FieldError[] = [];
  if (domain.length > maxDomain) errors.push(fieldError.tooLong(field, maxDomain));
  const labels = domain.split('.');
  const badLabel = labels.find((label) => isDNS1123Label(label).length > 0);
  if (badLabel !== undefined)
    for (const message of isDNS1123Label(badLabel))
      errors.push(fieldError.invalid(field, domain, `validating label "${badLabel}": ${message}`));
  if (labels.length < 2)
    errors.push(fieldError.invalid(field, domain, 'should be a domain with at least two segments separated by dots'));
  const badPart = path.split('.').find((part) => isDNS1123Subdomain(part).length > 0);
  if (badPart !== undefined)
    for (const message of isDNS1123Subdomain(badPart))
      errors.push(fieldError.invalid(field, path, `validating label "${badPart}": ${message}`));
  if (path.length > maxPath) errors.push(fieldError.tooLong(field, maxPath));
  return errors;
}
