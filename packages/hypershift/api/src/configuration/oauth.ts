/** The OAuth server of the hosted cluster. */
import { nameReference } from '../common/references.ts';
import { int32, list, object, string } from '../schema/index.ts';
import { identityProvider } from './identity-providers.ts';

export const oauthTemplates = object({
  error: nameReference.optional().describe('Secret whose `errors.html` replaces the error page.'),
  login: nameReference.optional().describe('Secret whose `login.html` replaces the login page.'),
  providerSelection: nameReference
    .optional()
    .describe('Secret whose `providers.html` replaces the page where users pick a provider.'),
}).describe('Web pages of your own.');

export const oauthTokenConfig = object({
  accessTokenInactivityTimeout: string()
    .optional()
    .describe('Unused tokens die after this time; absent or zero never, otherwise at least five minutes.'),
  accessTokenInactivityTimeoutSeconds: int32()
    .optional()
    .describe('Deprecated and ignored; use `accessTokenInactivityTimeout`.'),
  accessTokenMaxAgeSeconds: int32().optional().describe('Seconds a token is good for at most; absent means a day.'),
}).describe('How long access tokens are good for.');

export const oauthConfiguration = object({
  identityProviders: list(identityProvider, { type: 'atomic' })
    .optional()
    .describe('Where users are looked up, in the order shown at login.'),
  templates: oauthTemplates.optional(),
  tokenConfig: oauthTokenConfig.optional(),
})
  .describe('Built-in OAuth server. Once this is set, the kubeadmin password is no longer published.')
  .rule(
    '!has(self.tokenConfig) || !has(self.tokenConfig.accessTokenInactivityTimeout) || duration(self.tokenConfig.accessTokenInactivityTimeout).getSeconds() >= 300',
    'spec.configuration.oauth.tokenConfig.accessTokenInactivityTimeout minimum acceptable token timeout value is 300 seconds',
  );
