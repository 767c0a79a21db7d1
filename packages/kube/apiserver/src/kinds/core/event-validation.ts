import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError } from '@hypershift-ts/kube-apimachinery';
import { immutable, qualifiedName, required } from '../rules/checks.ts';
import { fieldsOf, isEmpty, isSet, numberOf, textOf } from '../values.ts';

const lengths = { reportingInstance: 128, action: 128, reason: 128, message: 1024 } as const;

/**
 * A core/v1 event. Old clients count occurrences and leave eventTime out; the checks on new fields start with it.
 * `reporter` is what this face of the API calls the reporting controller.
 */
export function validateEvent(event: UnstructuredObject, reporter = 'reportingComponent'): readonly FieldError[] {
  const errors: FieldError[] = [];
  const namespace = event.metadata.namespace ?? '';
  const involved = textOf(fieldsOf(event['involvedObject'])['namespace']);
  const mismatch = () =>
    errors.push(fieldError.invalid('involvedObject.namespace', involved, 'does not match event.namespace'));
  if (!isSet(event['eventTime'])) {
    if (involved === '' ? namespace !== '' && namespace !== 'default' : namespace !== involved) mismatch();
    return errors;
  }
  if (involved === '' && namespace !== 'default' && namespace !== 'kube-system') mismatch();
  if (required(errors, reporter, event['reportingComponent']))
    qualifiedName(errors, reporter, event['reportingComponent']);
  for (const key of ['reportingInstance', 'action', 'reason'] as const) required(errors, key, event[key]);
  for (const [key, limit] of Object.entries(lengths))
    if (textOf(event[key]).length > limit)
      errors.push(fieldError.invalid(key, '', `can have at most ${limit} characters`));
  return errors;
}

/** What events.k8s.io demands beyond that; the object is in its core form. */
export function validateNewEvent(event: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const invalid = (field: string, detail: string) => errors.push(fieldError.invalid(field, '', detail));
  required(errors, 'eventTime', event['eventTime']);
  const type = textOf(event['type']);
  if (type !== 'Normal' && type !== 'Warning') invalid('type', `has invalid value: ${type}`);
  for (const field of ['firstTimestamp', 'lastTimestamp', 'count', 'source'])
    if (!isEmpty(event[field])) invalid(field, 'needs to be unset');
  if (isSet(event['series'])) {
    const series = fieldsOf(event['series']);
    if (numberOf(series['count']) < 2) invalid('series.count', 'should be at least 2');
    required(errors, 'series.lastObservedTime', series['lastObservedTime']);
  }
  return errors;
}

const fixed = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingInstance',
] as const;

/** Through events.k8s.io only the series of an event grows. */
export function validateNewEventUpdate(event: UnstructuredObject, old: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const field of fixed) immutable(errors, field, event[field] ?? null, old[field] ?? null);
  immutable(errors, 'reportingController', event['reportingComponent'], old['reportingComponent']);
  return errors;
}
