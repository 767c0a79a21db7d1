export { defaultPolicy } from './objects.ts';
export { type PolicyChange, policyChanges } from './reconcile.ts';
