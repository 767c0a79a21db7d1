/** What the hosted cluster reports about its configuration. */
import { condition } from '../common/conditions.ts';
import { nameReference } from '../common/references.ts';
import { list, object, raw, string } from '../schema/index.ts';

export const currentOidcClient = object({
  clientID: string({ minLength: 1 }).describe('Client in use.'),
  issuerURL: string({ pattern: raw`^https:\/\/[^\s]` }).describe('Issuer the client belongs to.'),
  oidcProviderName: string({ minLength: 1 }).describe('Name of the provider in the spec.'),
});

export const oidcClientStatus = object({
  componentName: string({ minLength: 1, maxLength: 256 }).describe('Component that lets people log in.'),
  componentNamespace: string({ minLength: 1, maxLength: 63 }).describe('Namespace of the component.'),
  conditions: list(condition, { type: 'map', keys: ['type'] })
    .optional()
    .describe('Whether the component could take over its client.'),
  consumingUsers: list(
    string({
      minLength: 1,
      maxLength: 512,
      pattern: raw`^system:serviceaccount:[a-z0-9]([-a-z0-9]*[a-z0-9])?:[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`,
    }),
    { type: 'set', maxItems: 5 },
  )
    .optional()
    .describe("Service accounts that need to read the client's Secret."),
  currentOIDCClients: list(currentOidcClient, { type: 'map', keys: ['issuerURL', 'clientID'] })
    .optional()
    .describe('Clients the component uses at the moment.'),
});

export const authenticationStatus = object({
  integratedOAuthMetadata: nameReference
    .optional()
    .describe('ConfigMap that describes the built-in OAuth server; empty without it.'),
  oidcClients: list(oidcClientStatus, { type: 'map', keys: ['componentNamespace', 'componentName'], maxItems: 20 })
    .optional()
    .describe('How far components have taken over their OIDC clients.'),
}).describe('What the hosted cluster reports about logins.');

export const configurationStatus = object({
  authentication: authenticationStatus.optional(),
}).describe('What the hosted cluster reports about its configuration.');
