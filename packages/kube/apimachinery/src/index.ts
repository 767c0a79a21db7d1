/** The object model of Kubernetes: what every other room speaks. */
export * from './clock.ts';
export * from './field-error.ts';
export * from './json.ts';
export * from './object.ts';
export * from './schema-types.ts';
export * from './status.ts';
export * from './apply/index.ts';
export * from './names/index.ts';
export * from './patch/index.ts';
export * from './selectors/index.ts';
export * from './builtin/index.ts';
export * from './jsonpath/index.ts';
export * from './schema/index.ts';
export * from './protobuf/index.ts';
