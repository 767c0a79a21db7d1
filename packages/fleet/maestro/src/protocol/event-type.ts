/** What all events about works are about: `<reverse group>.<version>.<resource>`. */
export const workDataType = 'io.open-cluster-management.works.v1alpha1.manifestbundles';

/** Sent on streams so that both ends know the other is there; carries nothing. */
export const heartbeatType = 'io.open-cluster-management.cloudevents.heartbeat';

const actions = ['create_request', 'update_request', 'delete_request', 'resync_request', 'resync_response'] as const;

export type EventAction = (typeof actions)[number];

export interface EventType {
  readonly dataType: string;
  readonly subresource: 'spec' | 'status';
  readonly action: EventAction | (string & {});
}

export function formatEventType({ dataType, subresource, action }: EventType): string {
  return `${dataType}.${subresource}.${action}`;
}

/** The parts of an event's type; undefined when it has another shape. */
export function parseEventType(type: string): EventType | undefined {
  const parts = type.split('.');
  const [subresource, action] = parts.slice(-2);
  if (parts.length < 5 || !action || (subresource !== 'spec' && subresource !== 'status')) return undefined;
  return { dataType: parts.slice(0, -2).join('.'), subresource, action };
}
