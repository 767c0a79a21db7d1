/** Who may log in to the hosted cluster. */
import { nameReference } from '../common/references.ts';
import { enumOf, list, object, string } from '../schema/index.ts';
import { celTokenRule, claimMappings, claimValidationRule } from './claims.ts';
import { externalClaimsSource } from './external-claims.ts';

export const oidcIssuer = object({
  audiences: list(string({ minLength: 1 }), { type: 'set', minItems: 1, maxItems: 10 }).describe(
    'Audiences to accept; a token must be made for at least one of them.',
  ),
  issuerURL: string({ minLength: 1, maxLength: 512 })
    .describe("URL of the issuer, exactly as tokens state it; must differ from the cluster's own issuer.")
    .rule('isURL(self)', 'must be a valid URL')
    .rule("isURL(self) && url(self).getScheme() == 'https'", "must use the 'https' scheme")
    .rule('isURL(self) && url(self).getQuery() == {}', 'must not have a query')
    .rule("self.find('#(.+)$') == ''", 'must not have a fragment')
    .rule("self.find('@') == ''", 'must not have user info'),
  discoveryURL: string({ minLength: 1, maxLength: 2048 })
    .optional()
    .gate('ExternalOIDCWithUpstreamParity')
    .describe('Where the discovery document is read when it does not lie below the issuer URL.')
    .rule('isURL(self)', 'discoveryURL must be a valid URL')
    .rule("url(self).getScheme() == 'https'", 'discoveryURL must be a valid https URL')
    .rule('url(self).getQuery().size() == 0', 'discoveryURL must not contain query parameters')
    .rule("self.matches('^[^#]*$')", 'discoveryURL must not contain fragments')
    .rule("!self.matches('^https://.+:.+@.+/.*$')", 'discoveryURL must not contain user info'),
  issuerCertificateAuthority: nameReference
    .optional()
    .describe(
      "ConfigMap whose `ca-bundle.crt` holds the authorities for the issuer's certificate;",
      'absent means those of the system.',
    ),
})
  .describe('Who makes the tokens and for whom.')
  .rule(
    "self.?discoveryURL.orValue(\"\").size() > 0 ? (self.issuerURL.size() == 0 || self.discoveryURL.find('^.+[^/]') != self.issuerURL.find('^.+[^/]')) : true",
    'discoveryURL must be different from issuerURL',
  );

export const oidcClient = object({
  clientID: string({ minLength: 1 }).describe('Client the component uses at the provider.'),
  componentName: string({ minLength: 1, maxLength: 256 }).describe(
    'Component that uses the client, for example `console`.',
  ),
  componentNamespace: string({ minLength: 1, maxLength: 63 }).describe(
    'Namespace of the component, for example `openshift-console`.',
  ),
  clientSecret: nameReference
    .optional()
    .describe('Secret whose `clientSecret` holds the password of the client; leave it out for public clients.'),
  extraScopes: list(string(), { type: 'set' }).optional().describe('Scopes to ask for beyond the usual ones.'),
});

export const oidcProvider = object({
  name: string({ minLength: 1 }).describe('Name of the provider, for reference only.'),
  claimMappings,
  issuer: oidcIssuer,
  claimValidationRules: list(claimValidationRule, { type: 'atomic' })
    .optional()
    .describe('Rules a token must fulfil besides signature, audience and time.'),
  externalClaimsSources: list(externalClaimsSource, { type: 'atomic', minItems: 1, maxItems: 5 })
    .optional()
    .gate('ExternalOIDCExternalClaimsSourcing')
    .describe('Services that know claims missing from the token, asked at each login.')
    .rule(
      'self.all(s, s.mappings.all(m, self.filter(s2, s2.mappings.exists(m2, m2.name == m.name)).size() == 1))',
      'mapping names must be unique across all external claim sources.',
    ),
  oidcClients: list(oidcClient, { type: 'map', keys: ['componentNamespace', 'componentName'], maxItems: 20 })
    .optional()
    .describe('Clients for the parts of the platform that let people log in.'),
  userValidationRules: list(celTokenRule, { type: 'map', keys: ['expression'], minItems: 1, maxItems: 64 })
    .optional()
    .gate('ExternalOIDCWithUpstreamParity')
    .describe('Rules the resulting user must fulfil, for example that no name starts with `system:`.'),
});

export const authenticationConfiguration = object({
  type: enumOf(['', 'None', 'IntegratedOAuth', 'OIDC'])
    .optional()
    .describe(
      'Who checks users: the built-in OAuth server, an OIDC provider directly,',
      'or something of your own (`None`). State it whenever this section is present:',
      'an empty value is rejected by the controller.',
    ),
  oauthMetadata: nameReference
    .optional()
    .describe('ConfigMap whose `oauthMetadata` describes an OAuth server outside; for type `None`.'),
  oidcProviders: list(oidcProvider, { type: 'map', keys: ['name'], maxItems: 1 })
    .optional()
    .gate('ExternalOIDC')
    .describe('OIDC providers whose tokens the API server accepts; for type `OIDC`.'),
  serviceAccountIssuer: string().optional().describe('Ignored on hosted clusters; use `spec.issuerURL`.'),
  webhookTokenAuthenticator: object({
    kubeConfig: nameReference.describe('Secret whose `kubeConfig` says where and how to ask.'),
  })
    .optional()
    .describe('Service asked about tokens nobody else recognises; for type `None`.'),
  webhookTokenAuthenticators: list(
    object({
      kubeConfig: nameReference.optional().describe('Secret whose `kubeConfig` says where and how to ask.'),
    }),
    { type: 'atomic' },
  )
    .optional()
    .describe('Old form with several entries; no longer used.'),
}).describe('How users of the cluster prove who they are.');
