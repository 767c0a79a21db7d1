import { fromJSON } from '@grpc/proto-loader';

/** The part of etcd's v3 API that the store speaks, as a descriptor in the program: no file is looked up at run time. */
const field = (type: string, id: number, rule?: 'repeated') => (rule ? { type, id, rule } : { type, id });

const messages = {
  ResponseHeader: { fields: { revision: field('int64', 3) } },
  RangeRequest: {
    fields: {
      key: field('bytes', 1),
      range_end: field('bytes', 2),
      limit: field('int64', 3),
      revision: field('int64', 4),
      count_only: field('bool', 9),
    },
  },
  RangeResponse: {
    fields: {
      header: field('ResponseHeader', 1),
      kvs: field('mvccpb.KeyValue', 2, 'repeated'),
      more: field('bool', 3),
      count: field('int64', 4),
    },
  },
  PutRequest: {
    fields: { key: field('bytes', 1), value: field('bytes', 2), lease: field('int64', 3), prev_kv: field('bool', 4) },
  },
  PutResponse: { fields: { header: field('ResponseHeader', 1), prev_kv: field('mvccpb.KeyValue', 2) } },
  DeleteRangeRequest: { fields: { key: field('bytes', 1), range_end: field('bytes', 2), prev_kv: field('bool', 3) } },
  DeleteRangeResponse: {
    fields: { deleted: field('int64', 2), prev_kvs: field('mvccpb.KeyValue', 3, 'repeated') },
  },
  RequestOp: {
    oneofs: { request: { oneof: ['request_range', 'request_put', 'request_delete_range'] } },
    fields: {
      request_range: field('RangeRequest', 1),
      request_put: field('PutRequest', 2),
      request_delete_range: field('DeleteRangeRequest', 3),
    },
  },
  ResponseOp: {
    oneofs: { response: { oneof: ['response_range', 'response_put', 'response_delete_range'] } },
    fields: {
      response_range: field('RangeResponse', 1),
      response_put: field('PutResponse', 2),
      response_delete_range: field('DeleteRangeResponse', 3),
    },
  },
  Compare: {
    oneofs: { target_union: { oneof: ['mod_revision'] } },
    fields: {
      result: field('CompareResult', 1),
      target: field('CompareTarget', 2),
      key: field('bytes', 3),
      mod_revision: field('int64', 6),
    },
  },
  CompareResult: { values: { EQUAL: 0, GREATER: 1, LESS: 2, NOT_EQUAL: 3 } },
  CompareTarget: { values: { VERSION: 0, CREATE: 1, MOD: 2, VALUE: 3, LEASE: 4 } },
  TxnRequest: {
    fields: {
      compare: field('Compare', 1, 'repeated'),
      success: field('RequestOp', 2, 'repeated'),
      failure: field('RequestOp', 3, 'repeated'),
    },
  },
  TxnResponse: {
    fields: {
      header: field('ResponseHeader', 1),
      succeeded: field('bool', 2),
      responses: field('ResponseOp', 3, 'repeated'),
    },
  },
  CompactionRequest: { fields: { revision: field('int64', 1), physical: field('bool', 2) } },
  CompactionResponse: { fields: { header: field('ResponseHeader', 1) } },
  WatchRequest: {
    oneofs: { request_union: { oneof: ['create_request'] } },
    fields: { create_request: field('WatchCreateRequest', 1) },
  },
  WatchCreateRequest: {
    fields: {
      key: field('bytes', 1),
      range_end: field('bytes', 2),
      start_revision: field('int64', 3),
      progress_notify: field('bool', 4),
      prev_kv: field('bool', 6),
      fragment: field('bool', 8),
    },
  },
  WatchResponse: {
    fields: {
      header: field('ResponseHeader', 1),
      created: field('bool', 3),
      canceled: field('bool', 4),
      compact_revision: field('int64', 5),
      cancel_reason: field('string', 6),
      fragment: field('bool', 7),
      events: field('mvccpb.Event', 11, 'repeated'),
    },
  },
  LeaseGrantRequest: { fields: { TTL: field('int64', 1), ID: field('int64', 2) } },
  LeaseGrantResponse: {
    fields: { ID: field('int64', 2), TTL: field('int64', 3), error: field('string', 4) },
  },
  SnapshotRequest: { fields: {} },
  SnapshotResponse: { fields: { remaining_bytes: field('uint64', 2), blob: field('bytes', 3) } },
  StatusRequest: { fields: {} },
  StatusResponse: {
    fields: {
      version: field('string', 2),
      dbSize: field('int64', 3),
      // An id of 64 bits, rounded here; the store only asks whether there is one.
      leader: field('uint64', 4),
      errors: field('string', 8, 'repeated'),
      dbSizeInUse: field('int64', 9),
    },
  },
  MemberListRequest: { fields: {} },
  MemberListResponse: { fields: { members: field('Member', 2, 'repeated') } },
  Member: {
    fields: {
      name: field('string', 2),
      peerURLs: field('string', 3, 'repeated'),
      clientURLs: field('string', 4, 'repeated'),
    },
  },
};

const method = (requestType: string, responseType: string, streams: object = {}) => ({
  requestType,
  responseType,
  ...streams,
});

const services = {
  KV: {
    methods: {
      Range: method('RangeRequest', 'RangeResponse'),
      Txn: method('TxnRequest', 'TxnResponse'),
      Compact: method('CompactionRequest', 'CompactionResponse'),
    },
  },
  Watch: {
    methods: { Watch: method('WatchRequest', 'WatchResponse', { requestStream: true, responseStream: true }) },
  },
  Lease: { methods: { LeaseGrant: method('LeaseGrantRequest', 'LeaseGrantResponse') } },
  Maintenance: {
    methods: {
      Status: method('StatusRequest', 'StatusResponse'),
      Snapshot: method('SnapshotRequest', 'SnapshotResponse', { responseStream: true }),
    },
  },
  Cluster: { methods: { MemberList: method('MemberListRequest', 'MemberListResponse') } },
};

const descriptor = {
  nested: {
    mvccpb: {
      nested: {
        KeyValue: {
          fields: {
            key: field('bytes', 1),
            create_revision: field('int64', 2),
            mod_revision: field('int64', 3),
            value: field('bytes', 5),
          },
        },
        Event: { fields: { type: field('EventType', 1), kv: field('KeyValue', 2), prev_kv: field('KeyValue', 3) } },
        EventType: { values: { PUT: 0, DELETE: 1 } },
      },
    },
    etcdserverpb: { nested: { ...messages, ...services } },
  },
};

interface Codec {
  readonly path: string;
  readonly requestSerialize: (value: unknown) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => unknown;
}

// Revisions stay far below 2^53, and leases get ids from us that do.
// The descriptor's type is a union for every field, which the loader's own types do not follow.
const definition = fromJSON(descriptor as Parameters<typeof fromJSON>[0], {
  keepCase: true,
  longs: Number,
  enums: String,
  defaults: true,
  oneofs: true,
});

/** Path and codecs of one method. */
export function codecOf(service: keyof typeof services, name: string): Codec {
  const methods = definition[`etcdserverpb.${service}`] as unknown as Record<string, Codec> | undefined;
  const codec = methods?.[name];
  if (!codec) throw new Error(`no method ${name} in service ${service}`);
  return codec;
}
