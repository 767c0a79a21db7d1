/** Who may do what: RBAC, nodes, superusers, access reviews, the default roles, and the text of a denial. */
export * from './access-review.ts';
export * from './attributes.ts';
export * from './default-policy/index.ts';
export { forbidden } from './forbidden.ts';
export * from './modes.ts';
export { nodeAuthorizer, nodeIdentity } from './node/node-authorizer.ts';
export { NodeGraph } from './node/node-graph.ts';
export { aggregatedRules } from './rbac/aggregation.ts';
export { uncovered } from './rbac/covers.ts';
export { checkBindingWrite, checkRoleWrite } from './rbac/escalation.ts';
export { RbacIndex } from './rbac/rbac-index.ts';
export * from './rbac/types.ts';
export { webhookAuthorizer } from './webhook.ts';
