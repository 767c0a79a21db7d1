export { defaultPolicy } from './objects.ts';
export { policyChanges } from './reconcile.ts';
