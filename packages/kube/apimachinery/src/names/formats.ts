/**
 * The string formats Kubernetes names are made of. Each check returns what is wrong, in upstream's words, or an
 * empty list. All expressions are anchored and advance over disjoint characters, so they run in linear time.
 */
export type FormatCheck = (value: string) => readonly string[];

const none: readonly string[] = Object.freeze([]);

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const dns1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const qualifiedPart = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValue = `(${qualifiedPart})?`;

const anchored = (source: string): RegExp => new RegExp(`^${source}$`);
const labelPattern = anchored(label);
const subdomainPattern = anchored(subdomain);
const dns1035Pattern = anchored(dns1035);
const wildcardPattern = anchored(`\\*\\.${subdomain}`);
const qualifiedPattern = anchored(qualifiedPart);
const labelValuePattern = anchored(labelValue);

/** UTF-8 length, as Go's `len` counts. */
export function byteLength(value: string): number {
  return Buffer.byteLength(value, 'utf8');
}

function longerThan(value: string, bytes: number): boolean {
  return value.length > bytes || (value.length * 3 > bytes && byteLength(value) > bytes);
}

/** The usual ending of a format message: examples and the expression that was used. */
export function regexError(message: string, source: string, ...examples: readonly string[]): string {
  const eg = examples.map((example) => `'${example}', `).join(' or ');
  return eg === ''
    ? `${message} (regex used for validation is '${source}')`
    : `${message} (e.g. ${eg}regex used for validation is '${source}')`;
}

export const maxLengthError = (length: number): string => `must be no more than ${length} characters`;
const maxBytesError = (length: number): string => `must be no more than ${length} bytes`;

const labelMessage =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const subdomainMessage =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const dns1035Message =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const wildcardMessage =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
const qualifiedMessage =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const labelValueMessage =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

function bounded(value: string, max: number, matches: boolean, otherwise: () => string): readonly string[] {
  const long = longerThan(value, max);
  if (matches && !long) return none;
  return [...(long ? [maxLengthError(max)] : []), ...(matches ? [] : [otherwise()])];
}

/** One DNS label: `my-name`, at most 63 bytes. */
export const isDNS1123Label: FormatCheck = (value) =>
  bounded(value, 63, labelPattern.test(value), () =>
    subdomainPattern.test(value) ? 'must not contain dots' : regexError(labelMessage, label, 'my-name', '123-abc'),
  );

/** Dot separated DNS labels: `example.com`, at most 253 bytes. */
export const isDNS1123Subdomain: FormatCheck = (value) =>
  bounded(value, 253, subdomainPattern.test(value), () => regexError(subdomainMessage, subdomain, 'example.com'));

/** A DNS label that starts with a letter, as Service names must. */
export const isDNS1035Label: FormatCheck = (value) =>
  bounded(value, 63, dns1035Pattern.test(value), () => regexError(dns1035Message, dns1035, 'my-name', 'abc-123'));

/** `*.example.com`. */
export const isWildcardDNS1123Subdomain: FormatCheck = (value) =>
  bounded(value, 253, wildcardPattern.test(value), () =>
    regexError(wildcardMessage, `\\*\\.${subdomain}`, '*.example.com'),
  );

/** `name` or `dns.prefix/name`: label keys, annotation keys, finalizers, condition types. */
export const isQualifiedName: FormatCheck = (value) => {
  const slash = value.indexOf('/');
  const name = slash < 0 ? value : value.slice(slash + 1);
  if (name.includes('/')) {
    return [
      `a valid label key ${regexError(qualifiedMessage, qualifiedPart, 'MyName', 'my.name', '123-abc')} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const errors: string[] = [];
  if (slash === 0) errors.push('prefix part must be non-empty');
  else if (slash > 0) {
    const prefix = value.slice(0, slash);
    if (longerThan(prefix, 253)) errors.push(`prefix part ${maxBytesError(253)}`);
    if (!subdomainPattern.test(prefix)) {
      errors.push(`prefix part ${regexError(subdomainMessage, subdomain, 'example.com')}`);
    }
  }
  if (name === '') errors.push('name part must be non-empty');
  else if (longerThan(name, 63)) errors.push(`name part ${maxBytesError(63)}`);
  if (!qualifiedPattern.test(name)) {
    errors.push(`name part ${regexError(qualifiedMessage, qualifiedPart, 'MyName', 'my.name', '123-abc')}`);
  }
  return errors.length === 0 ? none : errors;
};

/** Empty, or at most 63 bytes of letters, digits, `-`, `_` and `.` that start and end alphanumeric. */
export const isLabelValue: FormatCheck = (value) => {
  const long = longerThan(value, 63);
  const matches = labelValuePattern.test(value);
  if (matches && !long) return none;
  return [
    ...(long ? [maxBytesError(63)] : []),
    ...(matches ? [] : [regexError(labelValueMessage, labelValue, 'MyValue', 'my_value', '12345')]),
  ];
};

/** A name that can stand in a URL path. */
export const isPathSegmentName: FormatCheck = (value) =>
  value === '.' || value === '..' ? [`may not be '${value}'`] : isPathSegmentPrefix(value);

/** A prefix of a name that can stand in a URL path. */
export const isPathSegmentPrefix: FormatCheck = (value) => {
  if (!value.includes('/') && !value.includes('%')) return none;
  return ['/', '%'].filter((part) => value.includes(part)).map((part) => `may not contain '${part}'`);
};
