import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { errorMessage, fieldError } from '@hypershift-ts/kube-apimachinery';
import { parseCertificates, parseRequest, splitPem } from '@hypershift-ts/kube-pki';
import type { Draft } from '../behaviour.ts';
import { required, supported, unique } from '../rules/checks.ts';
import { listOf, specOf, statusOf, stringsOf, textOf } from '../values.ts';
import { validateSignerName } from './signer-name.ts';
import { semanticEqual } from '../rules/semantic-equality.ts';

const usages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
] as const;

/** Which parts of the status a request may touch; the main resource may touch none. */
export interface StatusRights {
  readonly approval?: boolean;
  readonly certificate?: boolean;
}

export function validateRequest(csr: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(csr);
  const fault = requestFault(textOf(spec['request']));
  if (fault !== undefined) errors.push(fieldError.invalid('spec.request', byteList(textOf(spec['request'])), fault));
  required(errors, 'spec.usages', spec['usages']);
  const given = stringsOf(spec['usages']);
  given.forEach((usage, index) => supported(errors, `spec.usages[${index}]`, usage, usages));
  unique(
    errors,
    given,
    (index) => `spec.usages[${index}]`,
    (usage) => usage,
  );
  const signer = textOf(spec['signerName']);
  if (signer === 'kubernetes.io/legacy-unknown')
    errors.push(
      fieldError.invalid('spec.signerName', signer, 'the legacy signerName is not allowed via this API version'),
    );
  else errors.push(...validateSignerName('spec.signerName', signer));
  const seconds = spec['expirationSeconds'];
  if (typeof seconds === 'number' && seconds < 600)
    errors.push(
      fieldError.invalid(
        'spec.expirationSeconds',
        seconds,
        'may not specify a duration less than 600 seconds (10 minutes)',
      ),
    );
  errors.push(...validateStatus(statusOf(csr)));
  return errors;
}

/** What is wrong with the PKCS #10 request, which is base64 of PEM; undefined when nothing is. */
function requestFault(base64: string): string | undefined {
  try {
    const request = parseRequest(Buffer.from(base64, 'base64').toString('utf8'));
    return request.signatureValid ? undefined : 'x509: certificate request signature is invalid';
  } catch (error) {
    return errorMessage(error);
  }
}

/** The real server shows the offending bytes one by one; more than a few help nobody. */
function byteList(base64: string): number[] {
  return [...Buffer.from(base64, 'base64').subarray(0, 64)];
}

const onlyTrue = new Set(['Approved', 'Denied', 'Failed']);

function validateStatus(status: Draft): FieldError[] {
  const errors: FieldError[] = [];
  const conditions = listOf(status['conditions']);
  const types = new Set<string>();
  conditions.forEach((condition, index) => {
    const field = `status.conditions[${index}]`;
    const type = textOf(condition['type']);
    required(errors, `${field}.type`, type);
    if (required(errors, `${field}.status`, condition['status']))
      supported(
        errors,
        `${field}.status`,
        condition['status'],
        onlyTrue.has(type) ? ['True'] : ['False', 'True', 'Unknown'],
      );
    const opposite = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined;
    if (opposite !== undefined && types.has(opposite))
      errors.push(
        fieldError.invalid('status.conditions', type, 'Approved and Denied conditions are mutually exclusive'),
      );
    if (types.has(type)) errors.push(fieldError.duplicate(`${field}.type`, type));
    types.add(type);
  });
  const fault = certificateFault(textOf(status['certificate']));
  if (fault !== undefined) errors.push(fieldError.invalid('status.certificate', '<certificate data>', fault));
  return errors;
}

function certificateFault(base64: string): string | undefined {
  if (base64 === '') return undefined;
  const pem = Buffer.from(base64, 'base64').toString('utf8');
  try {
    const blocks = splitPem(pem);
    if (blocks.length === 0) return 'must contain at least one CERTIFICATE PEM block';
    const other = blocks.find((block) => block.label !== 'CERTIFICATE');
    if (other) return `only CERTIFICATE PEM blocks are allowed, found "${other.label}"`;
    parseCertificates(pem);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/** What an update may not do, whichever way it came. Conditions are only ever added. */
export function validateRequestUpdate(
  csr: UnstructuredObject,
  old: UnstructuredObject,
  rights: StatusRights = {},
): readonly FieldError[] {
  // The approval subresource is judged by this alone, so the conditions must make sense in themselves as well.
  const errors: FieldError[] = rights.approval ? validateStatus(statusOf(csr)) : [];
  const forbid = (field: string, detail: string) => errors.push(fieldError.forbidden(field, detail));
  const of = (object: UnstructuredObject, type: string) =>
    listOf(statusOf(object)['conditions']).filter((condition) => condition['type'] === type);
  for (const type of onlyTrue) {
    const before = of(old, type);
    const after = of(csr, type);
    if (after.length < before.length)
      forbid('status.conditions', `updates may not remove a condition of type "${type}"`);
    else if (rights.approval || type === 'Failed') continue;
    else if (after.length > before.length)
      forbid('status.conditions', `updates may not add a condition of type "${type}"`);
    else if (!semanticEqual(before, after))
      forbid('status.conditions', `updates may not modify a condition of type "${type}"`);
  }
  const before = textOf(statusOf(old)['certificate']);
  if (textOf(statusOf(csr)['certificate']) !== before) {
    if (!rights.certificate) forbid('status.certificate', 'updates may not set certificate content');
    else if (before !== '') forbid('status.certificate', 'updates may not modify existing certificate content');
  }
  return errors;
}
