/** Where the OAuth server looks users up. */
import { nameReference } from '../common/references.ts';
import { boolean, list, object, string, stringMap } from '../schema/index.ts';

export const basicAuthProvider = object({
  ca: nameReference
    .optional()
    .describe('ConfigMap whose `ca.crt` verifies the server; absent means the authorities of the system.'),
  tlsClientCert: nameReference.optional().describe('Secret whose `tls.crt` is shown to the server.'),
  tlsClientKey: nameReference.optional().describe('Secret whose `tls.key` belongs to the client certificate.'),
  url: string().optional().describe('URL that accepts or refuses a name and password.'),
}).describe('Passwords checked by another server over HTTP basic authentication.');

export const githubProvider = object({
  ca: nameReference.optional().describe('ConfigMap whose `ca.crt` verifies the server; only with `hostname`.'),
  clientID: string().optional().describe('Client registered at GitHub.'),
  clientSecret: nameReference.optional().describe('Secret whose `clientSecret` holds the password of the client.'),
  hostname: string().optional().describe('Host of a GitHub Enterprise server; absent means github.com.'),
  organizations: list(string()).optional().describe('Only members of one of these organizations may log in.'),
  teams: list(string())
    .optional()
    .describe(
      'Only members of one of these teams may log in, as `<organization>/<team>`;',
      'not together with organizations.',
    ),
}).describe('Login with GitHub. Restrict it, or the whole world may log in.');

export const gitlabProvider = object({
  ca: nameReference
    .optional()
    .describe('ConfigMap whose `ca.crt` verifies the server; absent means the authorities of the system.'),
  clientID: string().optional().describe('Client registered at GitLab.'),
  clientSecret: nameReference.optional().describe('Secret whose `clientSecret` holds the password of the client.'),
  url: string().optional().describe('URL of the GitLab server.'),
}).describe('Login with GitLab.');

export const googleProvider = object({
  clientID: string().optional().describe('Client registered at Google.'),
  clientSecret: nameReference.optional().describe('Secret whose `clientSecret` holds the password of the client.'),
  hostedDomain: string().optional().describe('Only accounts of this Google Workspace domain may log in.'),
}).describe('Login with Google. Restrict it, or anybody with an account may log in.');

export const keystoneProvider = object({
  ca: nameReference
    .optional()
    .describe('ConfigMap whose `ca.crt` verifies the server; absent means the authorities of the system.'),
  domainName: string().optional().describe('Keystone domain users belong to.'),
  tlsClientCert: nameReference.optional().describe('Secret whose `tls.crt` is shown to the server.'),
  tlsClientKey: nameReference.optional().describe('Secret whose `tls.key` belongs to the client certificate.'),
  url: string().optional().describe('URL of the Keystone server.'),
}).describe('Passwords checked by OpenStack Keystone.');

export const ldapAttributes = object({
  name: list(string()).optional().describe('Attributes tried in turn for the displayed name.'),
  email: list(string()).optional().describe('Attributes tried in turn for the mail address.'),
  id: list(string())
    .optional()
    .describe('Attributes tried in turn for the identity of the user; at least one must have a value, or login fails.'),
  preferredUsername: list(string())
    .optional()
    .describe('Attributes tried in turn for the user name; without a value the identity is used.'),
}).describe('Which LDAP attributes describe the user.');

export const ldapProvider = object({
  attributes: ldapAttributes.optional(),
  bindDN: string().optional().describe('DN to search as; absent searches without login.'),
  bindPassword: nameReference.optional().describe('Secret whose `bindPassword` belongs to the DN.'),
  ca: nameReference
    .optional()
    .describe('ConfigMap whose `ca.crt` verifies the server; absent means the authorities of the system.'),
  insecure: boolean().optional().describe('Talks to the server without TLS; not possible with `ldaps://`.'),
  url: string().optional().describe('Server, search base, attribute, scope and filter as one RFC 2255 URL.'),
}).describe('Passwords checked by an LDAP server.');

export const openIdClaims = object({
  name: list(string(), { type: 'atomic' }).optional().describe('Claims tried in turn for the displayed name.'),
  email: list(string(), { type: 'atomic' }).optional().describe('Claims tried in turn for the mail address.'),
  groups: list(string({ minLength: 1 }), { type: 'atomic' })
    .optional()
    .describe('Claims with group names; the groups are made in the cluster at login.'),
  preferredUsername: list(string(), { type: 'atomic' })
    .optional()
    .describe('Claims tried in turn for the user name; without a value `sub` is used.'),
}).describe('Which claims describe the user.');

export const openIdProvider = object({
  ca: nameReference
    .optional()
    .describe('ConfigMap whose `ca.crt` verifies the server; absent means the authorities of the system.'),
  claims: openIdClaims.optional(),
  clientID: string().optional().describe('Client registered at the provider.'),
  clientSecret: nameReference.optional().describe('Secret whose `clientSecret` holds the password of the client.'),
  extraAuthorizeParameters: stringMap().optional().describe('Further parameters of the login request.'),
  extraScopes: list(string()).optional().describe('Scopes to ask for beyond `openid`.'),
  issuer: string()
    .optional()
    .describe('HTTPS URL the provider states as issuer; its discovery document must lie below it.'),
}).describe('Login with an OpenID Connect provider.');

export const requestHeaderProvider = object({
  ca: nameReference
    .optional()
    .describe(
      "ConfigMap whose `ca.crt` verifies the proxy's client certificate;",
      'without this check anybody could pretend to be anyone.',
    ),
  challengeURL: string()
    .optional()
    .describe('Where command line clients are sent to log in; `${url}` and `${query}` stand for the original request.'),
  clientCommonNames: list(string())
    .optional()
    .describe("Common names the proxy's certificate may have; empty allows any that the authority signed."),
  emailHeaders: list(string()).optional().describe('Headers tried in turn for the mail address.'),
  headers: list(string()).optional().describe('Headers tried in turn for the identity of the user.'),
  loginURL: string()
    .optional()
    .describe('Where browsers are sent to log in; `${url}` and `${query}` stand for the original request.'),
  nameHeaders: list(string()).optional().describe('Headers tried in turn for the displayed name.'),
  preferredUsernameHeaders: list(string())
    .optional()
    .describe('Headers tried in turn for the user name; without a value the identity is used.'),
}).describe('Users named in a header by an authenticating proxy in front.');

export const identityProvider = object({
  type: string()
    .optional()
    .describe(
      'Kind of provider, for example `HTPasswd`, `LDAP` or `OpenID`; the member that belongs to it must be set.',
    ),
  name: string()
    .optional()
    .describe('Name shown at login and put into identities, so renaming makes users strangers; no `/` or `:`.'),
  basicAuth: basicAuthProvider.optional(),
  github: githubProvider.optional(),
  gitlab: gitlabProvider.optional(),
  google: googleProvider.optional(),
  htpasswd: object({
    fileData: nameReference.optional().describe('Secret whose `htpasswd` holds the password file.'),
  })
    .optional()
    .describe('Passwords in a file.'),
  keystone: keystoneProvider.optional(),
  ldap: ldapProvider.optional(),
  mappingMethod: string()
    .optional()
    .describe(
      'What happens when a user of that name exists: `claim` (also when absent) refuses, `add` joins both,',
      '`lookup` accepts only identities mapped beforehand.',
    ),
  openID: openIdProvider.optional(),
  requestHeader: requestHeaderProvider.optional(),
});
