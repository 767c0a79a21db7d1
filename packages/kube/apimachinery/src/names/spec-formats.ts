import type { FormatCheck } from './formats.ts';
import { byteLength, maxLengthError, regexError } from './formats.ts';

/** Formats of values inside specs: keys of ConfigMaps, environment variables, ports, percentages, HTTP headers. */

const configMapKey = '[-._a-zA-Z0-9]+';
const configMapKeyPattern = /^[-._a-zA-Z0-9]+$/;
const envVarName = '[-._a-zA-Z][-._a-zA-Z0-9]*';
const envVarNamePattern = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;
const cIdentifier = '[A-Za-z_][A-Za-z0-9_]*';
const cIdentifierPattern = /^[A-Za-z_][A-Za-z0-9_]*$/;
const headerName = '[-A-Za-z0-9]+';
const headerNamePattern = /^[-A-Za-z0-9]+$/;
const conditionReason = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const conditionReasonPattern = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

function changesDirectory(value: string): string[] {
  if (value === '.') return ["must not be '.'"];
  if (value === '..') return ["must not be '..'"];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}

export const isConfigMapKey: FormatCheck = (value) => [
  ...(byteLength(value) > 253 ? [maxLengthError(253)] : []),
  ...(configMapKeyPattern.test(value)
    ? []
    : [
        regexError(
          "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
          configMapKey,
          'key.name',
          'KEY_NAME',
          'key-name',
        ),
      ]),
  ...changesDirectory(value),
];

export const isEnvVarName: FormatCheck = (value) => [
  ...(envVarNamePattern.test(value)
    ? []
    : [
        regexError(
          "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
          envVarName,
          'my.env-name',
          'MY_ENV.NAME',
          'MyEnvName1',
        ),
      ]),
  ...changesDirectory(value),
];

/** What containers accept today: printable ASCII without `=`. */
export const isRelaxedEnvVarName: FormatCheck = (value) => {
  if (value === '') return ['environment variable name must be non-empty'];
  return /^[ -<>-~]+$/.test(value)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
};

export const isCIdentifier: FormatCheck = (value) =>
  cIdentifierPattern.test(value)
    ? []
    : [
        regexError(
          "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
          cIdentifier,
          'my_name',
          'MY_NAME',
          'MyName',
        ),
      ];

export const isHTTPHeaderName: FormatCheck = (value) =>
  headerNamePattern.test(value)
    ? []
    : [regexError("a valid HTTP header must consist of alphanumeric characters or '-'", headerName, 'X-Header-Name')];

export const isPercent: FormatCheck = (value) =>
  /^[0-9]+%$/.test(value)
    ? []
    : [regexError("a valid percent string must be a numeric string followed by an ending '%'", '[0-9]+%', '1%', '93%')];

export const isConditionReason: FormatCheck = (value) =>
  conditionReasonPattern.test(value)
    ? []
    : [
        regexError(
          "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
          conditionReason,
          'my_name',
          'MY_NAME',
          'MyName',
          'ReasonA,ReasonB',
          'ReasonA:ReasonB',
        ),
      ];

/** An IANA service name as container and service ports use it. */
export const isPortName: FormatCheck = (value) => [
  ...(byteLength(value) > 15 ? [maxLengthError(15)] : []),
  ...(/^[-a-z0-9]+$/.test(value) ? [] : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
  ...(/[a-z]/.test(value) ? [] : ['must contain at least one letter (a-z)']),
  ...(value.includes('--') ? ['must not contain consecutive hyphens'] : []),
  ...(value.startsWith('-') || value.endsWith('-') ? ['must not begin or end with a hyphen'] : []),
];

export function isInRange(value: number, low: number, high: number): readonly string[] {
  return value >= low && value <= high ? [] : [`must be between ${low} and ${high}, inclusive`];
}

export const isPortNumber = (value: number): readonly string[] => isInRange(value, 1, 65535);
