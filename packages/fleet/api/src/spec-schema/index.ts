/** `spec` belongs to the provider: its schemas come from the provider's OpenAPI document. */
export { builtinSchemaDocument } from './builtin.ts';
export { parseSchemaDocument, type SchemaDocument, SchemaDocumentError } from './document.ts';
export { type SpecValidator, specValidator } from './validate.ts';
