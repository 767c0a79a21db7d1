/** Protobuf bodies of the built-in kinds: what Go clients send, and what they may ask for. */
export { type DecodeProtobufOptions, decodeProtobuf, encodeProtobuf, protobufMediaType } from './envelope.ts';
export { hasProtobuf } from './messages.ts';
export { ProtobufError } from './reader.ts';
