import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError } from '@hypershift-ts/kube-apimachinery';
import { immutable } from '../rules/checks.ts';
import { fieldsOf, textOf } from '../values.ts';
import {
  encodedBytes,
  maxDataBytes,
  validateEncoding,
  validateImmutableData,
  validateKeys,
} from './data-validation.ts';

export function validateSecret(secret: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const data = fieldsOf(secret['data']);
  validateKeys(errors, data, 'data');
  validateEncoding(errors, data, 'data');
  if (encodedBytes(data) > maxDataBytes) errors.push(fieldError.tooLong('data', maxDataBytes));
  const needs = (key: string) => {
    if (!Object.hasOwn(data, key)) errors.push(fieldError.required(`data[${key}]`));
  };
  switch (secret['type']) {
    case 'kubernetes.io/service-account-token':
      if (!secret.metadata.annotations?.['kubernetes.io/service-account.name'])
        errors.push(fieldError.required('metadata.annotations[kubernetes.io/service-account.name]'));
      break;
    case 'kubernetes.io/dockercfg':
      needs('.dockercfg');
      validateJson(errors, data, '.dockercfg');
      break;
    case 'kubernetes.io/dockerconfigjson':
      needs('.dockerconfigjson');
      validateJson(errors, data, '.dockerconfigjson');
      break;
    case 'kubernetes.io/basic-auth':
      // One of the two is enough.
      if (!Object.hasOwn(data, 'username') && !Object.hasOwn(data, 'password')) {
        needs('username');
        needs('password');
      }
      break;
    case 'kubernetes.io/ssh-auth':
      if (textOf(data['ssh-privatekey']) === '') errors.push(fieldError.required('data[ssh-privatekey]'));
      break;
    case 'kubernetes.io/tls':
      needs('tls.crt');
      needs('tls.key');
      break;
  }
  return errors;
}

function validateJson(errors: FieldError[], data: Record<string, unknown>, key: string): void {
  if (!Object.hasOwn(data, key)) return;
  try {
    const value: unknown = JSON.parse(Buffer.from(textOf(data[key]), 'base64').toString('utf8'));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object');
  } catch {
    errors.push(fieldError.invalid(`data[${key}]`, '<secret contents redacted>', 'must be a JSON object'));
  }
}

export function validateSecretUpdate(secret: UnstructuredObject, old: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  immutable(errors, 'type', secret['type'], old['type']);
  return [...errors, ...validateImmutableData(secret, old, ['data'])];
}
