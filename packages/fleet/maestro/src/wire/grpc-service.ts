import type { ServiceDefinition } from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import type { Timestamp } from './timestamp.ts';

/** A value of an event's attribute; exactly one field is set. */
export interface AttributeMessage {
  readonly ce_boolean?: boolean;
  readonly ce_integer?: number;
  readonly ce_string?: string;
  readonly ce_bytes?: Uint8Array;
  readonly ce_uri?: string;
  readonly ce_uri_ref?: string;
  /** What is zero is not sent. */
  readonly ce_timestamp?: Partial<Timestamp>;
}

export interface CloudEventMessage {
  readonly id: string;
  readonly source: string;
  readonly spec_version: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, AttributeMessage>>;
  readonly binary_data?: Uint8Array;
}

export interface PublishMessage {
  readonly event: CloudEventMessage | null;
}

export interface SubscriptionMessage {
  readonly source: string;
  readonly cluster_name: string;
  readonly data_type: string;
}

const field = (type: string, id: number) => ({ type, id });

/** The service as a descriptor in the program: no file is looked up at run time. */
const root = {
  nested: {
    google: {
      nested: {
        protobuf: {
          nested: {
            Empty: { fields: {} },
            Timestamp: { fields: { seconds: field('int64', 1), nanos: field('int32', 2) } },
            Any: { fields: { type_url: field('string', 1), value: field('bytes', 2) } },
          },
        },
      },
    },
    io: {
      nested: {
        cloudevents: {
          nested: {
            v1: {
              nested: {
                CloudEventAttributeValue: {
                  oneofs: {
                    attr: {
                      oneof: [
                        'ce_boolean',
                        'ce_integer',
                        'ce_string',
                        'ce_bytes',
                        'ce_uri',
                        'ce_uri_ref',
                        'ce_timestamp',
                      ],
                    },
                  },
                  fields: {
                    ce_boolean: field('bool', 1),
                    ce_integer: field('int32', 2),
                    ce_string: field('string', 3),
                    ce_bytes: field('bytes', 4),
                    ce_uri: field('string', 5),
                    ce_uri_ref: field('string', 6),
                    ce_timestamp: field('google.protobuf.Timestamp', 7),
                  },
                },
                CloudEvent: {
                  oneofs: { data: { oneof: ['binary_data', 'text_data', 'proto_data'] } },
                  fields: {
                    id: field('string', 1),
                    source: field('string', 2),
                    spec_version: field('string', 3),
                    type: field('string', 4),
                    attributes: { keyType: 'string', type: 'CloudEventAttributeValue', id: 5 },
                    binary_data: field('bytes', 6),
                    text_data: field('string', 7),
                    proto_data: field('google.protobuf.Any', 8),
                  },
                },
                PublishRequest: { fields: { event: field('CloudEvent', 1) } },
                SubscriptionRequest: {
                  fields: {
                    source: field('string', 1),
                    cluster_name: field('string', 2),
                    data_type: field('string', 3),
                  },
                },
                CloudEventService: {
                  methods: {
                    Publish: { requestType: 'PublishRequest', responseType: 'google.protobuf.Empty' },
                    Subscribe: {
                      requestType: 'SubscriptionRequest',
                      responseType: 'CloudEvent',
                      responseStream: true,
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};

// The descriptor's type is a union for every message, which the loader's own types do not follow.
const definitions = fromJSON(root as Parameters<typeof fromJSON>[0], {
  keepCase: true,
  longs: Number,
  defaults: false,
  arrays: true,
  objects: true,
}) as unknown as Readonly<Record<'io.cloudevents.v1.CloudEventService', CloudEventService>>;

type CloudEventService = Readonly<Record<'Publish' | 'Subscribe', ServiceDefinition[string]>>;

/** `io.cloudevents.v1.CloudEventService`, for servers and clients. */
export const cloudEventService = definitions['io.cloudevents.v1.CloudEventService'];
