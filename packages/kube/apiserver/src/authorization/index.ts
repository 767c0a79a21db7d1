/** Who may do what: RBAC, nodes, superusers, access reviews, the default roles, and the text of a denial. */
export * from './access-review.ts';
export * from './attributes.ts';
export * from './default-policy/index.ts';
export { denialMessage, forbidden } from './forbidden.ts';
export * from './modes.ts';
export { nodeAuthorizer, nodeIdentity } from './node/node-authorizer.ts';
export { NodeGraph } from './node/node-graph.ts';
export { aggregatedRules, aggregates } from './rbac/aggregation.ts';
export { rulesAllow } from './rbac/compiled-rules.ts';
export { uncovered } from './rbac/covers.ts';
export { checkBindingWrite, checkRoleWrite, type EscalationScope, missingPermissions } from './rbac/escalation.ts';
export { RbacIndex } from './rbac/rbac-index.ts';
export * from './rbac/types.ts';
export { webhookAuthorizer, type WebhookAuthorizerOptions } from './webhook.ts';
