/** The OAuth server of the hosted cluster. */
import { nameReference } from '../common/references.ts';
import { int32, list, object, string } from '../schema/index.ts';
import { identityProvider } from './identity-providers.ts';

export const oauthTemplates = object({
  error: nameReference.optional(),
  login: nameReference.optional(),
  providerSelection: nameReference.optional(),
});

export const oauthTokenConfig = object({
  accessTokenInactivityTimeout: string().optional(),
  accessTokenInactivityTimeoutSeconds: int32().optional(),
  accessTokenMaxAgeSeconds: int32().optional(),
});

export const oauthConfiguration = object({
  identityProviders: list(identityProvider, { type: 'atomic' }).optional(),
  templates: oauthTemplates.optional(),
  tokenConfig: oauthTokenConfig.optional(),
}).rule(
  '!has(self.tokenConfig) || !has(self.tokenConfig.accessTokenInactivityTimeout) || duration(self.tokenConfig.accessTokenInactivityTimeout).getSeconds() >= 300',
  'spec.configuration.oauth.tokenConfig.accessTokenInactivityTimeout minimum acceptable token timeout value is 300 seconds',
);
