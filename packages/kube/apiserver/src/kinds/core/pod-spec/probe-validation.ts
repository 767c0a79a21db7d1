import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import { fieldError, isHTTPHeaderName, isInRange, isPortName } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../../behaviour.ts';
import { format, notNegative, required, supported } from '../../rules/checks.ts';
import { fieldsOf, isSet, listOf, numberOf } from '../../values.ts';

/** Every probe and lifecycle hook of one container. */
export function validateHandlers(errors: FieldError[], container: Draft, field: string, gracePeriod: unknown): void {
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe'])
    if (isSet(container[name])) validateProbe(errors, name, fieldsOf(container[name]), `${field}.${name}`);
  const lifecycle = fieldsOf(container['lifecycle']);
  for (const name of ['postStart', 'preStop'])
    if (isSet(lifecycle[name]))
      validateHandler(errors, fieldsOf(lifecycle[name]), `${field}.lifecycle.${name}`, gracePeriod);
}

function validateProbe(errors: FieldError[], name: string, probe: Draft, field: string): void {
  validateHandler(errors, probe, field, undefined);
  for (const key of ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'])
    notNegative(errors, `${field}.${key}`, probe[key]);
  const grace = probe['terminationGracePeriodSeconds'];
  if (typeof grace === 'number' && grace <= 0)
    errors.push(fieldError.invalid(`${field}.terminationGracePeriodSeconds`, grace, 'must be greater than 0'));
  if (name !== 'readinessProbe' && numberOf(probe['successThreshold'], 1) !== 1)
    errors.push(fieldError.invalid(`${field}.successThreshold`, probe['successThreshold'], 'must be 1'));
  if (name === 'readinessProbe' && isSet(grace))
    errors.push(
      fieldError.invalid(`${field}.terminationGracePeriodSeconds`, grace, 'must not be set for readinessProbes'),
    );
}

const handlerTypes = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

function validateHandler(errors: FieldError[], handler: Draft, field: string, gracePeriod: unknown): void {
  let seen = 0;
  for (const type of handlerTypes) {
    if (!isSet(handler[type])) continue;
    if (seen++ > 0) {
      errors.push(fieldError.forbidden(`${field}.${type}`, 'may not specify more than 1 handler type'));
      continue;
    }
    const action = fieldsOf(handler[type]);
    const path = `${field}.${type}`;
    if (type === 'exec') required(errors, `${path}.command`, action['command']);
    else if (type === 'httpGet') validateHttpGet(errors, action, path);
    else if (type === 'tcpSocket') validatePort(errors, action['port'], `${path}.port`);
    else if (type === 'grpc') validatePort(errors, action['port'], `${path}.port`);
    else validateSleep(errors, action['seconds'], path, gracePeriod);
  }
  if (seen === 0) errors.push(fieldError.required(field, 'must specify a handler type'));
}

function validateHttpGet(errors: FieldError[], action: Draft, field: string): void {
  required(errors, `${field}.path`, action['path']);
  validatePort(errors, action['port'], `${field}.port`);
  supported(errors, `${field}.scheme`, action['scheme'], ['HTTP', 'HTTPS']);
  for (const header of listOf(action['httpHeaders']))
    format(errors, `${field}.httpHeaders`, header['name'], isHTTPHeaderName);
}

function validateSleep(errors: FieldError[], seconds: unknown, field: string, gracePeriod: unknown): void {
  const limit = numberOf(gracePeriod);
  if (typeof seconds === 'number' && (seconds < 0 || seconds > limit))
    errors.push(
      fieldError.invalid(field, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${limit})`),
    );
}

/** A port by number or by name. */
export function validatePort(errors: FieldError[], port: unknown, field: string): void {
  if (typeof port === 'string') {
    format(errors, field, port, isPortName);
    return;
  }
  const number = numberOf(port);
  for (const message of isInRange(number, 1, 65535)) errors.push(fieldError.invalid(field, number, message));
}
