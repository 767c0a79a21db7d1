/** What the hosted cluster reports about its configuration. */
import { condition } from '../common/conditions.ts';
import { nameReference } from '../common/references.ts';
import { list, object, raw, string } from '../schema/index.ts';

export const currentOidcClient = object({
  clientID: string({ minLength: 1 }),
  issuerURL: string({ pattern: raw`^https:\/\/[^\s]` }),
  oidcProviderName: string({ minLength: 1 }),
});

export const oidcClientStatus = object({
  componentName: string({ minLength: 1, maxLength: 256 }),
  componentNamespace: string({ minLength: 1, maxLength: 63 }),
  conditions: list(condition, { type: 'map', keys: ['type'] }).optional(),
  consumingUsers: list(
    string({
      minLength: 1,
      maxLength: 512,
      pattern: raw`^system:serviceaccount:[a-z0-9]([-a-z0-9]*[a-z0-9])?:[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`,
    }),
    { type: 'set', maxItems: 5 },
  ).optional(),
  currentOIDCClients: list(currentOidcClient, { type: 'map', keys: ['issuerURL', 'clientID'] }).optional(),
});

export const authenticationStatus = object({
  integratedOAuthMetadata: nameReference.optional(),
  oidcClients: list(oidcClientStatus, {
    type: 'map',
    keys: ['componentNamespace', 'componentName'],
    maxItems: 20,
  }).optional(),
});

export const configurationStatus = object({
  authentication: authenticationStatus.optional(),
});
