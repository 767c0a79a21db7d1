/** Maestro: works for clusters far away, carried as events. */
export * from './protocol/acceptance.ts';
export * from './protocol/event-type.ts';
export * from './protocol/identity.ts';
export * from './protocol/payloads.ts';
export * from './protocol/resync.ts';
export * from './protocol/sequence-id.ts';
export { hashOfNoStatus, statusHash } from './protocol/status-hash.ts';
export * from './protocol/work-event.ts';
export { fromMessage, heartbeat, isHeartbeat, toMessage } from './wire/grpc-event.ts';
export {
  type CloudEventMessage,
  cloudEventService,
  type PublishMessage,
  type SubscriptionMessage,
} from './wire/grpc-service.ts';
export { fromMqtt, type MqttMessage, toMqtt, type UserProperties } from './wire/mqtt-event.ts';
export * from './wire/mqtt-topics.ts';
export { inApplyOrder } from './work/apply-order.ts';
export * from './work/feedback.ts';
export * from './work/manifest-settings.ts';
export * from './work/manifest-work.ts';
export type { AgentSubscriber, AgentTransport } from './agent/agent-transport.ts';
export { appliedManifestWorkCrd } from './agent/crd.ts';
export { WorkAgent, type WorkAgentOptions } from './agent/work-agent.ts';
export { grpcAgentTransport } from './agent/grpc-transport.ts';
export { type GrpcServerOptions, startBrokerServer, startSourceServer } from './server/grpc-server.ts';
export { MaestroError } from './server/maestro-error.ts';
export { restHandler, startRestServer } from './server/rest/rest-server.ts';
export { migrations } from './server/schema.ts';
export { WorkHub, type WorkHubOptions } from './server/work-hub.ts';
export { CloudEventClient, type GrpcClientOptions, type StreamHandlers } from './wire/grpc-client.ts';
export { SourceClient, type SourceClientOptions } from './source/source-client.ts';
export { maestroCommand } from './command/command.ts';
