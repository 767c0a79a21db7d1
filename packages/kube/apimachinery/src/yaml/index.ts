/** Decoding of request bodies and manifests: JSON and YAML, within limits. */
export { decodeJson, strictDecodingError } from './json.ts';
export type { Decoded } from './json.ts';
export { DecodeError } from './limits.ts';
export type { DecodeOptions } from './limits.ts';
export { decodeLocatedYaml } from './located.ts';
export type { LocatedYaml, TextPosition } from './located.ts';
export { decodeYaml, decodeYamlDocuments } from './yaml.ts';
