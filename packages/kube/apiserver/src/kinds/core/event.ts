import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Draft, KindBehaviour } from '../behaviour.ts';
import { child } from '../defaulting.ts';
import { since } from '../human-duration.ts';
import { nameColumn, nameOf, text, wide } from '../table/columns.ts';
import { fieldsOf, isSet, numberOf, textOf } from '../values.ts';

import { validateEvent } from './event-validation.ts';

/** Fields that the real server writes even when they are empty. */
function defaultEvent(event: Draft): void {
  child(event, 'source');
  for (const key of ['firstTimestamp', 'lastTimestamp', 'eventTime']) if (event[key] === undefined) event[key] = null;
  for (const key of ['reportingComponent', 'reportingInstance']) if (!isSet(event[key])) event[key] = '';
}

export function eventCells(event: UnstructuredObject, now: number): readonly unknown[] {
  const involved = fieldsOf(event['involvedObject']);
  const source = fieldsOf(event['source']);
  const first = since(event['firstTimestamp'] || event['eventTime'], now);
  let last = event['lastTimestamp'] ? since(event['lastTimestamp'], now) : first;
  let count = numberOf(event['count']) || 1;
  if (isSet(event['series'])) {
    const series = fieldsOf(event['series']);
    last = since(series['lastObservedTime'], now);
    count = numberOf(series['count']);
  }
  const kind = textOf(involved['kind']).toLowerCase();
  const name = textOf(involved['name']);
  const component = textOf(source['component']) || textOf(event['reportingComponent']);
  const instance = textOf(source['host']) || textOf(event['reportingInstance']);
  return [
    last,
    textOf(event['type']),
    textOf(event['reason']),
    name === '' ? kind : `${kind}/${name}`,
    textOf(involved['fieldPath']),
    instance === '' ? component : `${component}, ${instance}`,
    textOf(event['message']).trim(),
    first,
    count,
    nameOf(event),
  ];
}

export const eventColumns = [
  text('Last Seen', 'When it happened last.'),
  text('Type', 'Normal or Warning.'),
  text('Reason', 'Why, in one word.'),
  text('Object', 'What it happened to.'),
  wide(text('Subobject', 'Which part of the object.')),
  wide(text('Source', 'Who reported it.')),
  text('Message', 'What happened.'),
  wide(text('First Seen', 'When it happened first.')),
  wide(text('Count', 'How often it happened.')),
  wide(nameColumn),
];

const involvedFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

const selectableFields: Record<string, (object: UnstructuredObject) => string> = {
  reason: (object) => textOf(object['reason']),
  reportingComponent: (object) => textOf(object['reportingComponent']),
  source: (object) => textOf(fieldsOf(object['source'])['component']) || textOf(object['reportingComponent']),
  type: (object) => textOf(object['type']),
};
for (const field of involvedFields)
  selectableFields[`involvedObject.${field}`] = (object) => textOf(fieldsOf(object['involvedObject'])[field]);

export const event: KindBehaviour = {
  defaults: defaultEvent,
  validate: (object) => validateEvent(object),
  selectableFields,
  unconditionalUpdate: true,
  createOnUpdate: true,
  columns: eventColumns,
  cells: eventCells,
};
