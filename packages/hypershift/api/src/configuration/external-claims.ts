/** Claims that are not in the token and are fetched elsewhere. */
import { enumOf, list, object, raw, string } from '../schema/index.ts';

export const externalClaimsMapping = object({
  name: string({ minLength: 1, maxLength: 256 }).rule(
    "self.matches('^[a-z_]+$')",
    'name must consist of only lowercase alpha characters and underscores',
  ),
  expression: string({ minLength: 1, maxLength: 1024 }),
});

export const externalClaimsUrl = object({
  hostname: string({ minLength: 1, maxLength: 259 })
    .rule("isURL('https://'+self)", 'hostname must be a valid hostname')
    .rule(
      raw`self.split(':')[0].matches('^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$')`,
      "hostname before port must start and end with a lowercase alphanumeric character, and must only contain lowercase alphanumeric characters, '-' or '.'",
    )
    .rule("self.split(':').size() > 1 ? int(self.split(':')[1]) <= 65535 : true", 'port must not exceed 65535'),
  pathExpression: string({ minLength: 1, maxLength: 1024 }),
});

export const externalClaimsClientCredential = object({
  clientID: string({ minLength: 1, maxLength: 256 }).rule(
    "self.matches('^[[:print:]]+$')",
    'clientID must only contain printable ASCII characters',
  ),
  clientSecret: object({
    name: string({ minLength: 1, maxLength: 253 }).rule(
      raw`self.matches('^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$')`,
      "name must start and end with a lowercase alphanumeric character, and must only contain lowercase alphanumeric characters, '-' or '.'",
    ),
  }),
  tokenEndpoint: string({ minLength: 1, maxLength: 2048 })
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
  ).optional(),
  tls: object({
    certificateAuthority: object({
      name: string({ minLength: 1, maxLength: 253 }).rule(
        raw`self.matches('^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$')`,
        "name must start and end with a lowercase alphanumeric character, and must only contain lowercase alphanumeric characters, '-' or '.'",
      ),
    }),
  }).optional(),
});

export const externalClaimsAuthentication = object({
  type: enumOf(['RequestProvidedToken', 'ClientCredential']),
  clientCredential: externalClaimsClientCredential.optional(),
}).rule(
  "self.type == 'ClientCredential' ? has(self.clientCredential) : !has(self.clientCredential)",
  'clientCredential is required when type is ClientCredential, and forbidden otherwise',
);

export const externalClaimsSource = object({
  mappings: list(externalClaimsMapping, { type: 'map', keys: ['name'], minItems: 1, maxItems: 16 }),
  url: externalClaimsUrl,
  authentication: externalClaimsAuthentication.optional(),
  predicates: list(
    object({
      expression: string({ minLength: 1, maxLength: 1024 }),
    }),
    { type: 'map', keys: ['expression'], minItems: 1, maxItems: 16 },
  ).optional(),
  tls: object({
    certificateAuthority: object({
      name: string({ minLength: 1, maxLength: 253 }).rule(
        raw`self.matches('^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$')`,
        "name must start and end with a lowercase alphanumeric character, and must only contain lowercase alphanumeric characters, '-' or '.'",
      ),
    }),
  }).optional(),
});
