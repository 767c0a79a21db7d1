/** OpenAPI documents: v3 for everything served, and the least v2 that old clients insist on. */
export { OpenApiV3 } from './openapi.ts';
export { openApiV2 } from './v2.ts';
