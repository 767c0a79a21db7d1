/** Ignition: from a NodePool's configuration to the bytes with which its machines boot. */
export * from './api-server-proxy/endpoints.ts';
export {
  type ApiServerProxyInputs,
  apiServerProxyDocument,
  apiServerProxyIgnition,
} from './api-server-proxy/machine-config.ts';
export { bypassesProxy } from './api-server-proxy/no-proxy.ts';
export { goJson } from './go-encoding/go-json.ts';
export { goYaml } from './go-encoding/go-yaml.ts';
export * from './hash/hash-simple.ts';
export * from './machine-config/documents.ts';
export * from './machine-config/machine-config.ts';
export * from './machine-config/merge.ts';
export * from './rollout/formats.ts';
export * from './rollout/global-config.ts';
export * from './rollout/raw-config.ts';
export * from './rollout/rhel-stream.ts';
export * from './rollout/rollout-hash.ts';
export { dataUrl, decodeDataUrl } from './spec/data-url.ts';
export type * from './spec/ignition-config.ts';
export { IgnitionError } from './spec/ignition-error.ts';
export { mergeIgnition } from './spec/merge.ts';
export { parseIgnition, type ParsedIgnition, parseIgnitionText } from './spec/parse.ts';
export type { Finding } from './spec/shape.ts';
export { writeIgnition } from './spec/write.ts';
