/** What provider specs of several clouds have in common. */

export interface SecretReference {
  readonly name?: string;
  readonly namespace?: string;
}

/** Every provider spec says what it is. */
export interface ProviderSpecType<ApiVersion extends string, Kind extends string> {
  readonly apiVersion: ApiVersion;
  readonly kind: Kind;
  readonly metadata?: { readonly [field: string]: unknown };
}
