/** Secret with the key that signs service account tokens, when the user brings one. */
export const issuerKeyName = ({ name }: { readonly name: string }) => `${name}-sa-token-issuer-key`;
