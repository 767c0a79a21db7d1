/** Discovery: what a server serves, in the three forms that clients ask for. */
export { builtinServedResources } from './builtin.ts';
export { Discovery } from './discovery.ts';
export { documentOf } from './document.ts';
export { ResourceMemo } from './resource-memo.ts';
export type { Document, ServedResource, ServedSubresource } from './served-resource.ts';
