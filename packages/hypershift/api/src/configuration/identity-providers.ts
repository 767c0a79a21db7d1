/** Where the OAuth server looks users up. */
import { nameReference } from '../common/references.ts';
import { boolean, list, object, string, stringMap } from '../schema/index.ts';

export const basicAuthProvider = object({
  ca: nameReference.optional(),
  tlsClientCert: nameReference.optional(),
  tlsClientKey: nameReference.optional(),
  url: string().optional(),
});

export const githubProvider = object({
  ca: nameReference.optional(),
  clientID: string().optional(),
  clientSecret: nameReference.optional(),
  hostname: string().optional(),
  organizations: list(string()).optional(),
  teams: list(string()).optional(),
});

export const gitlabProvider = object({
  ca: nameReference.optional(),
  clientID: string().optional(),
  clientSecret: nameReference.optional(),
  url: string().optional(),
});

export const googleProvider = object({
  clientID: string().optional(),
  clientSecret: nameReference.optional(),
  hostedDomain: string().optional(),
});

export const keystoneProvider = object({
  ca: nameReference.optional(),
  domainName: string().optional(),
  tlsClientCert: nameReference.optional(),
  tlsClientKey: nameReference.optional(),
  url: string().optional(),
});

export const ldapAttributes = object({
  name: list(string()).optional(),
  email: list(string()).optional(),
  id: list(string()).optional(),
  preferredUsername: list(string()).optional(),
});

export const ldapProvider = object({
  attributes: ldapAttributes.optional(),
  bindDN: string().optional(),
  bindPassword: nameReference.optional(),
  ca: nameReference.optional(),
  insecure: boolean().optional(),
  url: string().optional(),
});

export const openIdClaims = object({
  name: list(string(), { type: 'atomic' }).optional(),
  email: list(string(), { type: 'atomic' }).optional(),
  groups: list(string({ minLength: 1 }), { type: 'atomic' }).optional(),
  preferredUsername: list(string(), { type: 'atomic' }).optional(),
});

export const openIdProvider = object({
  ca: nameReference.optional(),
  claims: openIdClaims.optional(),
  clientID: string().optional(),
  clientSecret: nameReference.optional(),
  extraAuthorizeParameters: stringMap().optional(),
  extraScopes: list(string()).optional(),
  issuer: string().optional(),
});

export const requestHeaderProvider = object({
  ca: nameReference.optional(),
  challengeURL: string().optional(),
  clientCommonNames: list(string()).optional(),
  emailHeaders: list(string()).optional(),
  headers: list(string()).optional(),
  loginURL: string().optional(),
  nameHeaders: list(string()).optional(),
  preferredUsernameHeaders: list(string()).optional(),
});

export const identityProvider = object({
  type: string().optional(),
  name: string().optional(),
  basicAuth: basicAuthProvider.optional(),
  github: githubProvider.optional(),
  gitlab: gitlabProvider.optional(),
  google: googleProvider.optional(),
  htpasswd: object({
    fileData: nameReference.optional(),
  }).optional(),
  keystone: keystoneProvider.optional(),
  ldap: ldapProvider.optional(),
  mappingMethod: string().optional(),
  openID: openIdProvider.optional(),
  requestHeader: requestHeaderProvider.optional(),
});
