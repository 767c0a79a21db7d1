/** Claims that are not in the token and are fetched elsewhere. */
import { enumOf, list, object, raw, string } from '../schema/index.ts';

export const externalClaimsMapping = object({
  name: string({ minLength: 1, maxLength: 256 })
    .describe('Name under which the claim can be used in mappings.')
    .rule("self.matches('^[a-z_]+$')", 'name must consist of only lowercase alpha characters and underscores'),
  expression: string({ minLength: 1, maxLength: 1024 }).describe(
    'CEL expression over the answer that yields the claim.',
  ),
});

export const externalClaimsUrl = object({
  hostname: string({ minLength: 1, maxLength: 259 })
    .describe('Host to ask, with a port if needed; always over HTTPS.')
    .rule("isURL('https://'+self)", 'hostname must be a valid hostname')
    .rule(
      raw`self.split(':')[0].matches('^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$')`,
      "hostname before port must start and end with a lowercase alphanumeric character, and must only contain lowercase alphanumeric characters, '-' or '.'",
    )
    .rule("self.split(':').size() > 1 ? int(self.split(':')[1]) <= 65535 : true", 'port must not exceed 65535'),
  pathExpression: string({ minLength: 1, maxLength: 1024 }).describe(
    "CEL expression over the token's claims that yields the parts of the path.",
  ),
}).describe('Address to ask for the claims.');

export const externalClaimsClientCredential = object({
  clientID: string({ minLength: 1, maxLength: 256 })
    .describe('Client the API server logs in as.')
    .rule("self.matches('^[[:print:]]+$')", 'clientID must only contain printable ASCII characters'),
  clientSecret: object({
    name: string({ minLength: 1, maxLength: 253 })
      .describe('Name of the Secret.')
      .rule(
        raw`self.matches('^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$')`,
        "name must start and end with a lowercase alphanumeric character, and must only contain lowercase alphanumeric characters, '-' or '.'",
      ),
  }).describe('Secret with the password of the client.'),
  tokenEndpoint: string({ minLength: 1, maxLength: 2048 })
    .describe('HTTPS URL that hands out access tokens.')
    .rule('isURL(self)', 'tokenEndpoint must be a valid HTTPS url')
    .rule("isURL(self) && url(self).getScheme() == 'https'", 'tokenEndpoint must be a valid HTTPS url')
    .rule("isURL(self) && url(self).getHost() != ''", 'tokenEndpoint must have a hostname')
    .rule("isURL(self) && url(self).getEscapedPath() != ''", 'tokenEndpoint must have a path')
    .rule('isURL(self) && url(self).getQuery() == {}', 'tokenEndpoint must not have query parameters')
    .rule("isURL(self) && self.find('#(.+)$') == ''", 'tokenEndpoint must not have a fragment')
    .rule("isURL(self) && !self.matches('^https://[^/]+@.+$')", 'tokenEndpoint must not have user info'),
  scopes: list(
    string({ minLength: 1, maxLength: 256 }).rule(
      raw`self.matches('^[!#-[\\]-~]+$')`,
      'scopes must only contain printable ASCII characters excluding spaces, double quotes and backslashes',
    ),
    { type: 'set', minItems: 1, maxItems: 16 },
  )
    .optional()
    .describe('Scopes to ask for; absent asks for none.'),
  tls: object({
    certificateAuthority: object({
      name: string({ minLength: 1, maxLength: 253 })
        .describe('Name of the ConfigMap.')
        .rule(
          raw`self.matches('^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$')`,
          "name must start and end with a lowercase alphanumeric character, and must only contain lowercase alphanumeric characters, '-' or '.'",
        ),
    }).describe('ConfigMap with the authorities that signed the certificate of the token endpoint.'),
  })
    .optional()
    .describe('How the connection to the token endpoint is verified; absent trusts the authorities of the system.'),
}).describe('Login with credentials of a client, as OAuth 2.0 defines it.');

export const externalClaimsAuthentication = object({
  type: enumOf(['RequestProvidedToken', 'ClientCredential']).describe(
    "What is shown to the source: the user's own token, or one obtained with client credentials.",
  ),
  clientCredential: externalClaimsClientCredential.optional(),
})
  .describe('How the API server logs in to the source; absent means without credentials.')
  .rule(
    "self.type == 'ClientCredential' ? has(self.clientCredential) : !has(self.clientCredential)",
    'clientCredential is required when type is ClientCredential, and forbidden otherwise',
  );

export const externalClaimsSource = object({
  mappings: list(externalClaimsMapping, { type: 'map', keys: ['name'], minItems: 1, maxItems: 16 }).describe(
    'Claims made from the answer.',
  ),
  url: externalClaimsUrl,
  authentication: externalClaimsAuthentication.optional(),
  predicates: list(
    object({
      expression: string({ minLength: 1, maxLength: 1024 }).describe(
        "CEL expression over the token's claims that must be true.",
      ),
    }),
    { type: 'map', keys: ['expression'], minItems: 1, maxItems: 16 },
  )
    .optional()
    .describe('Conditions that must all hold for the source to be asked; absent asks for every token.'),
  tls: object({
    certificateAuthority: object({
      name: string({ minLength: 1, maxLength: 253 })
        .describe('Name of the ConfigMap.')
        .rule(
          raw`self.matches('^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$')`,
          "name must start and end with a lowercase alphanumeric character, and must only contain lowercase alphanumeric characters, '-' or '.'",
        ),
    }).describe('ConfigMap with the authorities that signed the certificate of the source.'),
  })
    .optional()
    .describe('How the connection to the source is verified; absent trusts the authorities of the system.'),
});
