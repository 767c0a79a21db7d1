import type { Duplex } from 'node:stream';
import type { Metadata, ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import { decodePacket, encodePacket } from './packet.ts';

// The proto files name no package, so the paths have no prefix.
export const connectPath = '/AgentService/Connect';
export const proxyPath = '/ProxyService/Proxy';

function packetStream<Name extends string>(name: Name, path: string) {
  return {
    [name]: {
      path,
      requestStream: true,
      responseStream: true,
      requestSerialize: encodePacket,
      requestDeserialize: decodePacket,
      responseSerialize: encodePacket,
      responseDeserialize: decodePacket,
    },
  } as ServiceDefinition<Record<Name, never>> & Record<Name, { readonly path: string }>;
}

/** A server's end of a gRPC stream, as far as it is used here. */
export interface PacketCall extends Duplex {
  readonly metadata: Metadata;
  readonly cancelled: boolean;
  sendMetadata(metadata: Metadata): void;
}

/** grpc-js types its streams apart from Node's, which they are. */
export function implementation(methods: Readonly<Record<string, (call: PacketCall) => void>>) {
  return methods as unknown as UntypedServiceImplementation;
}

/** What agents call. */
export const agentService = packetStream('Connect', connectPath);
/** What API servers call in gRPC mode. */
export const proxyService = packetStream('Proxy', proxyPath);

/** Metadata of AgentService/Connect; gRPC writes the names in lower case. */
export const header = {
  serverCount: 'serverCount',
  serverID: 'serverID',
  agentID: 'agentID',
  agentIdentifiers: 'agentIdentifiers',
  authorization: 'Authorization',
} as const;

/**
 * Both ends: dead peers are found by pings, and a window larger than HTTP/2's 64 KiB keeps one connection from
 * waiting for its acknowledgements.
 */
export function channelOptions(keepaliveMs: number) {
  return {
    'grpc.keepalive_time_ms': keepaliveMs,
    'grpc.keepalive_timeout_ms': 20_000,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.use_local_subchannel_pool': 1,
    'grpc-node.flow_control_window': 1024 * 1024,
  };
}
