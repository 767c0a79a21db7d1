/** OpenAPI documents: v3 for everything served, and the least v2 that old clients insist on. */
export { OpenApiV3, type OpenApiV3Document } from './openapi.ts';
export type { OpenApiResource } from './openapi-resource.ts';
export { type OpenApiV2Document, openApiV2 } from './v2.ts';
