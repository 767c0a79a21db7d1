import { isIPv4, isIPv6 } from 'node:net';

/** Whether a string has the named OpenAPI format, as kube-openapi's strfmt registry decides it. */
type FormatCheck = (text: string) => boolean;

const by =
  (pattern: RegExp): FormatCheck =>
  (text) =>
    pattern.test(text);

const hex = '[0-9a-f]';
const uuid = (third: string, fourth: string) =>
  by(new RegExp(`^${hex}{8}-?${hex}{4}-?${third}-?${fourth}-?${hex}{12}$`, 'i'));

function isSloppyIPv4(text: string): boolean {
  // Kubernetes still accepts leading zeros in IPv4 octets here.
  return isIPv4(text.replace(/(^|\.)0+(?=\d)/g, '$1'));
}

function isIP(text: string): boolean {
  return text.length <= 64 && (isSloppyIPv4(text) || (!text.includes('%') && isIPv6(text)));
}

function isCIDR(text: string): boolean {
  const slash = text.indexOf('/');
  if (slash < 0) return false;
  const address = text.slice(0, slash);
  const bits = text.slice(slash + 1);
  return isIP(address) && /^\d{1,3}$/.test(bits) && Number(bits) <= (address.includes(':') ? 128 : 32);
}

function isMAC(text: string): boolean {
  if (/^[0-9a-f]{4}(\.[0-9a-f]{4})+$/i.test(text)) return [14, 19, 49].includes(text.length);
  const separator = text[2];
  if (separator !== ':' && separator !== '-') return false;
  const octets = text.split(separator);
  return [6, 8, 20].includes(octets.length) && octets.every(by(/^[0-9a-f]{2}$/i));
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day >= 1 && day <= days;
}

const dateAndTime = /^(\d{4}-\d{2}-\d{2})t([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|[+-][0-9]{2}:[0-9]{2})$/i;

function isDateTime(text: string): boolean {
  const match = dateAndTime.exec(text);
  if (match === null || !isDate(match[1] ?? '')) return false;
  return Number(match[2]) <= 23 && Number(match[3]) <= 59 && Number(match[4]) <= 59;
}

const goDuration = /^[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const looseUnits = /^(?:ns|nano.*|us|µs|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|wk|week.*)$/;

/** Go's own syntax, or a number and a spelled unit anywhere in the text (`2 weeks`). */
function isDuration(text: string): boolean {
  if (text.length > 1024) return false;
  if (goDuration.test(text)) return true;
  for (const match of text.matchAll(/\d+\s*([A-Za-zµ]+)/g)) {
    if (looseUnits.test((match[1] ?? '').toLowerCase())) return true;
  }
  return false;
}

// Linear twins of the registry's alternatives: one label, or dotted labels ending in letters.
const hostnameLabel = /^[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\p{S}\p{L}-]*[a-zA-Z0-9\p{S}\p{L}])?$/u;
const topLabel = /^[a-zA-Z\p{L}]{2,63}$/u;
const singleLabel = /^[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?$/u;

function isHostname(text: string): boolean {
  if (text.length > 255 || Buffer.byteLength(text) > 255) return false;
  const labels = text.split('.');
  if (labels.some((label) => Buffer.byteLength(label) > 63)) return false;
  if (labels.length === 1) return singleLabel.test(text);
  return labels.slice(0, -1).every(by(hostnameLabel)) && topLabel.test(labels.at(-1) ?? '');
}

const atom = "[\\p{L}\\p{N}!#$%&'*+/=?^_`{|}~-]+";
const addrSpec = `(?:${atom}(?:\\.${atom})*|"[^"\\\\\\r\\n]*")@(?:${atom}(?:\\.${atom})*|\\[[^\\]\\\\\\r\\n]*\\])`;
const bareAddress = new RegExp(`^\\s*${addrSpec}\\s*$`, 'u');
const bracketedAddress = new RegExp(`^[^<>@]*<${addrSpec}>\\s*$`, 'u');

function isEmail(text: string): boolean {
  return text.length <= 2048 && (bareAddress.test(text) || bracketedAddress.test(text));
}

/** `net/url.ParseRequestURI`: an absolute path, or a scheme and whatever follows, without control characters. */
function isRequestURI(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (text === '' || /[\u0000-\u001f\u007f]/.test(text) || /%(?![0-9a-fA-F]{2})/.test(text.split('?')[0] ?? ''))
    return false;
  if (text.startsWith('/') || text === '*') return true;
  const scheme = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.exec(text);
  if (!scheme) return false;
  const rest = text.slice(scheme[0].length);
  if (!rest.startsWith('//')) return true;
  const authority = (/^[^/?#]*/.exec(rest.slice(2)) ?? [''])[0];
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (/[\s"<>\\^`{|}]/.test(host)) return false;
  return host.startsWith('[') ? /^\[[0-9a-fA-F:.%\w]+\](?::\d*)?$/.test(host) : /^[^:]*(?::\d*)?$/.test(host);
}

function isISBN10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 10; i++) sum += (i + 1) * (digits[i] === 'X' ? 10 : Number(digits[i]));
  return sum % 11 === 0;
}

function isISBN13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^[0-9]{13}$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += (i % 2 === 0 ? 1 : 3) * Number(digits[i]);
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  const issuers =
    /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;
  if (!issuers.test(digits)) return false;
  let sum = 0;
  for (let i = digits.length - 1, double = false; i >= 0; i--, double = !double) {
    const digit = Number(digits[i]) * (double ? 2 : 1);
    sum += digit >= 10 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

const octet = '(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])';
const segment = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

/** By normalised name: dashes do not count, so `date-time` is `datetime`. */
const formats = new Map<string, FormatCheck>([
  ['bsonobjectid', by(/^[0-9a-fA-F]{24}$/)],
  ['uri', isRequestURI],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', (text) => text.includes('.') && isIP(text)],
  ['ipv6', (text) => text.includes(':') && isIP(text)],
  ['cidr', isCIDR],
  ['mac', isMAC],
  ['uuid', uuid(`${hex}{4}`, `${hex}{4}`)],
  ['uuid3', uuid(`3${hex}{3}`, `${hex}{4}`)],
  ['uuid4', uuid(`4${hex}{3}`, `[89ab]${hex}{3}`)],
  ['uuid5', uuid(`5${hex}{3}`, `[89ab]${hex}{3}`)],
  ['isbn', (text) => isISBN10(text) || isISBN13(text)],
  ['isbn10', isISBN10],
  ['isbn13', isISBN13],
  ['creditcard', isCreditCard],
  ['ssn', (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ['hexcolor', by(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ['rgbcolor', by(new RegExp(`^rgb\\(\\s*${octet}\\s*,\\s*${octet}\\s*,\\s*${octet}\\s*\\)$`))],
  ['byte', by(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/)],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', (text) => text.length <= 63 && segment.test(text)],
  ['k8slongname', (text) => text.length <= 253 && text.split('.').every(by(segment))],
]);

/** The check behind a string format, or undefined when Kubernetes does not know the format and ignores it. */
export function stringFormat(format: string): FormatCheck | undefined {
  return formats.get(format.replaceAll('-', ''));
}

/** Whether a CRD schema of this type may name this format without a warning. */
export function isKnownFormat(type: string | undefined, format: string): boolean {
  if (type === undefined || type === '' || type === 'string') return stringFormat(format) !== undefined;
  if (type === 'integer') return format === 'int32' || format === 'int64';
  if (type === 'number') return format === 'float' || format === 'double';
  return false;
}
