/** Who may log in to the hosted cluster. */
import { nameReference } from '../common/references.ts';
import { enumOf, list, object, string } from '../schema/index.ts';
import { celTokenRule, claimMappings, claimValidationRule } from './claims.ts';
import { externalClaimsSource } from './external-claims.ts';

export const oidcIssuer = object({
  audiences: list(string({ minLength: 1 }), { type: 'set', minItems: 1, maxItems: 10 }),
  issuerURL: string({ minLength: 1, maxLength: 512 })
    .rule('isURL(self)', 'must be a valid URL')
    .rule("isURL(self) && url(self).getScheme() == 'https'", "must use the 'https' scheme")
    .rule('isURL(self) && url(self).getQuery() == {}', 'must not have a query')
    .rule("self.find('#(.+)$') == ''", 'must not have a fragment')
    .rule("self.find('@') == ''", 'must not have user info'),
  discoveryURL: string({ minLength: 1, maxLength: 2048 })
    .optional()
    .gate('ExternalOIDCWithUpstreamParity')
    .rule('isURL(self)', 'discoveryURL must be a valid URL')
    .rule("url(self).getScheme() == 'https'", 'discoveryURL must be a valid https URL')
    .rule('url(self).getQuery().size() == 0', 'discoveryURL must not contain query parameters')
    .rule("self.matches('^[^#]*$')", 'discoveryURL must not contain fragments')
    .rule("!self.matches('^https://.+:.+@.+/.*$')", 'discoveryURL must not contain user info'),
  issuerCertificateAuthority: nameReference.optional(),
}).rule(
  "self.?discoveryURL.orValue(\"\").size() > 0 ? (self.issuerURL.size() == 0 || self.discoveryURL.find('^.+[^/]') != self.issuerURL.find('^.+[^/]')) : true",
  'discoveryURL must be different from issuerURL',
);

export const oidcClient = object({
  clientID: string({ minLength: 1 }),
  componentName: string({ minLength: 1, maxLength: 256 }),
  componentNamespace: string({ minLength: 1, maxLength: 63 }),
  clientSecret: nameReference.optional(),
  extraScopes: list(string(), { type: 'set' }).optional(),
});

export const oidcProvider = object({
  name: string({ minLength: 1 }),
  claimMappings,
  issuer: oidcIssuer,
  claimValidationRules: list(claimValidationRule, { type: 'atomic' }).optional(),
  externalClaimsSources: list(externalClaimsSource, { type: 'atomic', minItems: 1, maxItems: 5 })
    .optional()
    .gate('ExternalOIDCExternalClaimsSourcing')
    .rule(
      'self.all(s, s.mappings.all(m, self.filter(s2, s2.mappings.exists(m2, m2.name == m.name)).size() == 1))',
      'mapping names must be unique across all external claim sources.',
    ),
  oidcClients: list(oidcClient, {
    type: 'map',
    keys: ['componentNamespace', 'componentName'],
    maxItems: 20,
  }).optional(),
  userValidationRules: list(celTokenRule, { type: 'map', keys: ['expression'], minItems: 1, maxItems: 64 })
    .optional()
    .gate('ExternalOIDCWithUpstreamParity'),
});

export const authenticationConfiguration = object({
  type: enumOf(['', 'None', 'IntegratedOAuth', 'OIDC']).optional(),
  oauthMetadata: nameReference.optional(),
  oidcProviders: list(oidcProvider, { type: 'map', keys: ['name'], maxItems: 1 })
    .optional()
    .gate('ExternalOIDC'),
  serviceAccountIssuer: string().optional(),
  webhookTokenAuthenticator: object({
    kubeConfig: nameReference,
  }).optional(),
  webhookTokenAuthenticators: list(
    object({
      kubeConfig: nameReference.optional(),
    }),
    { type: 'atomic' },
  ).optional(),
});
