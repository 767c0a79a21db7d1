/** How the claims of a token become a user. */
import { enumOf, list, object, raw, string } from '../schema/index.ts';

export const usernameClaimMapping = object({
  claim: string({ minLength: 1, maxLength: 256 })
    .optional()
    .describe('Claim whose value becomes the user name; set this or `expression`.'),
  expression: string({ minLength: 1, maxLength: 1024 })
    .optional()
    .describe('CEL expression over `claims` that yields the user name.'),
  prefix: object({
    prefixString: string({ minLength: 1 }).describe("Text put before the claim's value."),
  })
    .optional()
    .describe('Prefix for policy `Prefix`.'),
  prefixPolicy: enumOf(['', 'NoPrefix', 'Prefix'])
    .optional()
    .describe(
      'Whether names get a prefix: none, the given one,',
      'or when empty the issuer URL and `#` for every claim except `email`.',
    ),
})
  .describe('Where the user name comes from.')
  .rule(
    'has(self.claim) ? !has(self.expression) : has(self.expression)',
    'precisely one of claim or expression must be set',
  )
  .rule(
    "has(self.expression) && size(self.expression) > 0 ? !has(self.prefixPolicy) || self.prefixPolicy != 'Prefix' : true",
    "prefixPolicy must not be set to 'Prefix' when expression is set",
  )
  .rule(
    "has(self.prefixPolicy) && self.prefixPolicy == 'Prefix' ? (has(self.prefix) && size(self.prefix.prefixString) > 0) : !has(self.prefix)",
    "prefix must be set if prefixPolicy is 'Prefix', but must remain unset otherwise",
  );

export const extraClaimMapping = object({
  key: string({ minLength: 1, maxLength: 510 })
    .describe('Name of the attribute, in the form `domain/path` with a domain of your own.')
    .rule("self.contains('/')", "key must contain the '/' character")
    .rule(
      raw`self.split('/', 2)[0].matches("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$")`,
      "the domain of the key must consist of only lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    )
    .rule("self.split('/', 2)[0].size() <= 253", 'the domain of the key must not exceed 253 characters in length')
    .rule("self.split('/', 2)[0] != 'kubernetes.io'", "the domain 'kubernetes.io' is reserved for Kubernetes use")
    .rule(
      "!self.split('/', 2)[0].endsWith('.kubernetes.io')",
      "the subdomains '*.kubernetes.io' are reserved for Kubernetes use",
    )
    .rule("self.split('/', 2)[0] != 'k8s.io'", "the domain 'k8s.io' is reserved for Kubernetes use")
    .rule("!self.split('/', 2)[0].endsWith('.k8s.io')", "the subdomains '*.k8s.io' are reserved for Kubernetes use")
    .rule("self.split('/', 2)[0] != 'openshift.io'", "the domain 'openshift.io' is reserved for OpenShift use")
    .rule(
      "!self.split('/', 2)[0].endsWith('.openshift.io')",
      "the subdomains '*.openshift.io' are reserved for OpenShift use",
    )
    .rule(
      raw`self.split('/', 2)[1].matches('[A-Za-z0-9/\\-._~%!$&\'()*+;=:]+')`,
      "the path of the key must not be empty and must consist of at least one alphanumeric character, percent-encoded octets, apostrophe, '-', '.', '_', '~', '!', '$', '&', '(', ')', '*', '+', ',', ';', '=', and ':'",
    )
    .rule("self.split('/', 2)[1].size() <= 256", 'the path of the key must not exceed 256 characters in length'),
  valueExpression: string({ minLength: 1, maxLength: 1024 }).describe(
    'CEL expression over `claims` that yields a string or a list of strings;',
    'empty results leave the attribute out.',
  ),
});

export const groupsClaimMapping = object({
  claim: string({ maxLength: 256 })
    .optional()
    .describe('Claim with the group names, as a list or text separated by commas.'),
  expression: string({ minLength: 1, maxLength: 1024 })
    .optional()
    .describe('CEL expression over `claims` that yields the group names; not together with `claim` or `prefix`.'),
  prefix: string()
    .optional()
    .describe('Text put before every group name, so that tokens cannot claim groups of the cluster.'),
})
  .describe('Where the groups of the user come from; absent gives none.')
  .rule(
    'has(self.expression) && size(self.expression) > 0 ? (!has(self.prefix) || size(self.prefix) == 0) : true',
    'prefix must not be set to a non-empty value when expression is set',
  )
  .rule(
    '(size(self.?claim.orValue("")) > 0) ? !has(self.expression) : true',
    'expression must not be set if claim is specified and is not an empty string',
  );

export const uidClaimMapping = object({
  claim: string({ minLength: 1, maxLength: 256 })
    .optional()
    .describe('Claim whose value becomes the UID; set this or `expression`.'),
  expression: string({ minLength: 1, maxLength: 1024 })
    .optional()
    .describe('CEL expression over `claims` that yields the UID.'),
})
  .describe('Where the UID of the user comes from; absent means claim `sub`.')
  .rule(
    'has(self.claim) ? !has(self.expression) : has(self.expression)',
    'precisely one of claim or expression must be set',
  );

export const claimMappings = object({
  username: usernameClaimMapping,
  extra: list(extraClaimMapping, { type: 'map', keys: ['key'], maxItems: 32 })
    .optional()
    .gate('ExternalOIDCWithUIDAndExtraClaimMappings')
    .describe('Further attributes of the user, for authorizers and audit.'),
  groups: groupsClaimMapping.optional(),
  uid: uidClaimMapping.optional().gate('ExternalOIDCWithUIDAndExtraClaimMappings'),
}).describe('How the claims of a token become a user.');

export const celTokenRule = object({
  expression: string({ minLength: 1, maxLength: 1024 }).describe(
    'CEL expression that must be true for the token to be accepted.',
  ),
  message: string({ minLength: 1, maxLength: 256 }).describe('What a refused client is told.'),
}).describe('A rule written in CEL.');

export const requiredClaim = object({
  claim: string({ minLength: 1 }).describe('Claim to look at.'),
  requiredValue: string({ minLength: 1 }).describe('Value the claim must have.'),
}).describe('A claim that must have a certain value.');

export const claimValidationRule = object({
  type: enumOf(['RequiredClaim', 'CEL']).describe('Kind of rule; the member that belongs to it must be set.'),
  cel: celTokenRule.optional(),
  requiredClaim: requiredClaim.optional(),
})
  .rule(
    "has(self.type) && self.type == 'CEL' ? has(self.cel) : !has(self.cel)",
    "cel must be set when type is 'CEL', and forbidden otherwise",
  )
  .rule(
    "has(self.type) && self.type == 'RequiredClaim' ? has(self.requiredClaim) : !has(self.requiredClaim)",
    "requiredClaim must be set when type is 'RequiredClaim', and forbidden otherwise",
  );
