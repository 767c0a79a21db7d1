import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';

/** A CloudEvent as a run needs it. */
export interface AdapterEvent {
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
}

/** Reads a structured CloudEvent; throws when it has no identity or its data is no map. */
export function adapterEvent(value: unknown): AdapterEvent {
  if (!isJsonObject(value)) throw new TypeError('the event is not a JSON object');
  const { id, type, data } = value;
  if (typeof id !== 'string' || id === '') throw new TypeError('the event has no id');
  if (typeof type !== 'string' || type === '') throw new TypeError('the event has no type');
  if (!isJsonObject(data)) throw new TypeError('the data of the event is not a JSON object');
  return { id, type, data };
}
