/** Ignition: from a NodePool's configuration to the bytes with which its machines boot. */
export * from './api-server-proxy/endpoints.ts';
export {
  type ApiServerProxyInputs,
  apiServerProxyDocument,
  apiServerProxyIgnition,
} from './api-server-proxy/machine-config.ts';
export { bypassesProxy } from './api-server-proxy/no-proxy.ts';
export * from './core-config/core-config-maps.ts';
export { goJson } from './go-encoding/go-json.ts';
export { goYaml } from './go-encoding/go-yaml.ts';
export * from './hash/derived-name.ts';
export * from './hash/hash-simple.ts';
export * from './machine-config/documents.ts';
export * from './machine-config/machine-config.ts';
export * from './machine-config/merge.ts';
export * from './rollout/formats.ts';
export * from './rollout/global-config.ts';
export * from './rollout/pool-intent.ts';
export * from './rollout/raw-config.ts';
export * from './rollout/rhel-stream.ts';
export * from './rollout/rollout-hash.ts';
export * from './rollout/user-intent.ts';
export { dataUrl, decodeDataUrl } from './spec/data-url.ts';
export type * from './spec/ignition-config.ts';
export { IgnitionError } from './spec/ignition-error.ts';
export { mergeIgnition } from './spec/merge.ts';
export { parseIgnition, type ParsedIgnition, parseIgnitionText } from './spec/parse.ts';
export type { Finding } from './spec/shape.ts';
export { writeIgnition } from './spec/write.ts';
export { payloadKey } from './payload-cache/payload-key.ts';
export { maxPayloadBytes, SharedPayloads } from './payload-cache/shared-payloads.ts';
export { type ServedRollout, TokenIndex } from './payload-cache/token-index.ts';
export { configProblems } from './payload/config-problems.ts';
export { ConfigKindError } from './payload/document-fields.ts';
export * from './payload/payload-inputs.ts';
export { workerImagesFrom, workerImagesOf } from './payload/worker-images.ts';
export { type Payload, renderPayload } from './payload/render.ts';
export { type Answer, answer } from './server/answer.ts';
export { IgnitionServer, type IgnitionServerOptions, type ServingCertificate } from './server/ignition-server.ts';
export { type IgnitionMetrics, ignitionMetrics } from './server/metrics.ts';
export { type RunIgnitionOptions, type RunningIgnition, runIgnition } from './server/run.ts';
export { type TokenControllerOptions, tokenController } from './token-controller/controller.ts';
export * from './token-controller/payload-source.ts';
export * from './token/janitor.ts';
export * from './token/lifecycle.ts';
export * from './token/names.ts';
export * from './token/token-secret.ts';
export * from './token/user-data.ts';
