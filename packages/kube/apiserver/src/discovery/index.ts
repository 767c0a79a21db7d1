/** Discovery: what a server serves, in the three forms that clients ask for. */
export { builtinServedResources } from './builtin.ts';
export { Discovery, type DiscoveryOptions } from './discovery.ts';
export { documentOf } from './document.ts';
export { type Group, type GroupVersionResources, groupsOf } from './groups.ts';
export { ResourceMemo } from './resource-memo.ts';
export type { Document, ServedResource, ServedSubresource } from './served-resource.ts';
export { compareVersions } from './version-order.ts';
