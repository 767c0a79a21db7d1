import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Draft, KindBehaviour } from '../behaviour.ts';
import { eventToCore } from '../conversions/events.ts';
import { eventCells, eventColumns } from '../core/event.ts';
import { validateEvent, validateNewEvent, validateNewEventUpdate } from '../core/event-validation.ts';
import { child } from '../defaulting.ts';
import { fieldsOf, isSet, textOf } from '../values.ts';

const regardingFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

const selectableFields: Record<string, (object: UnstructuredObject) => string> = {
  reason: (object) => textOf(object['reason']),
  reportingController: (object) => textOf(object['reportingController']),
  type: (object) => textOf(object['type']),
};
for (const field of regardingFields)
  selectableFields[`regarding.${field}`] = (object) => textOf(fieldsOf(object['regarding'])[field]);

/** Fields that the real server writes even when they are empty. */
function defaultEvent(event: Draft): void {
  child(event, 'deprecatedSource');
  for (const key of ['deprecatedFirstTimestamp', 'deprecatedLastTimestamp']) if (!isSet(event[key])) event[key] = null;
}

/** The newer face of events; what is stored is the core one. */
const event: KindBehaviour = {
  defaults: defaultEvent,
  validate: (object) => {
    const core = eventToCore(object);
    return [...validateEvent(core, 'reportingController'), ...validateNewEvent(core)];
  },
  validateUpdate: (object, old) => validateNewEventUpdate(eventToCore(object), eventToCore(old)),
  selectableFields,
  unconditionalUpdate: true,
  createOnUpdate: true,
  columns: eventColumns,
  cells: (object, now) => eventCells(eventToCore(object), now),
};

export const eventsKinds: Readonly<Record<string, KindBehaviour>> = {
  'events.events.k8s.io': event,
};
