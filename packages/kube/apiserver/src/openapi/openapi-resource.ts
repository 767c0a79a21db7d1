import type { Schema } from '@hypershift-ts/kube-apimachinery';
import type { ServedResource } from '../discovery/index.ts';

/** What an OpenAPI document needs to know of a resource; custom ones bring their schema. */
export interface OpenApiResource extends ServedResource {
  readonly listKind: string;
  readonly logic?: { readonly schema: Schema };
}
