/** The API reference, written from the schemas. */
export * from './descriptions.ts';
export * from './files.ts';
export * from './page.ts';
