import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../behaviour.ts';

/** One event has two faces: core/v1 and events.k8s.io/v1. These are the fields whose names differ. */
const coreToEvents = {
  involvedObject: 'regarding',
  message: 'note',
  source: 'deprecatedSource',
  firstTimestamp: 'deprecatedFirstTimestamp',
  lastTimestamp: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
  reportingComponent: 'reportingController',
} as const;

const eventsToCore = Object.fromEntries(Object.entries(coreToEvents).map(([core, events]) => [events, core]));

function renamed(
  event: UnstructuredObject,
  names: Readonly<Record<string, string>>,
  apiVersion: string,
): UnstructuredObject {
  const result: Draft = {};
  for (const key of Object.keys(event)) result[names[key] ?? key] = event[key];
  result['apiVersion'] = apiVersion;
  result['kind'] = 'Event';
  return result as UnstructuredObject;
}

/** A core/v1 Event as events.k8s.io/v1. */
export function eventFromCore(event: UnstructuredObject): UnstructuredObject {
  return renamed(event, coreToEvents, 'events.k8s.io/v1');
}

/** An events.k8s.io/v1 Event as core/v1. */
export function eventToCore(event: UnstructuredObject): UnstructuredObject {
  return renamed(event, eventsToCore, 'v1');
}

/** Field selector names of events.k8s.io/v1 that mean a core/v1 field. */
export function eventFieldToCore(field: string): string {
  if (field === 'reportingController') return 'reportingComponent';
  return field.startsWith('regarding.') ? `involvedObject.${field.slice('regarding.'.length)}` : field;
}
