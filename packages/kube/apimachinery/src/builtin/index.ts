/** What is known about Kubernetes' built-in kinds: types, resources, schemas. */
export * from './generated/index.ts';
export * from './go-form.ts';
export * from './not-served.ts';
export * from './resources.ts';
export * from './schemas.ts';
