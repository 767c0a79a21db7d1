/** What the API does: each operation in one transaction, rules from the pure rooms, rows from the store. */
export type { Caller, ServiceContext } from './context.ts';
export { createResource } from './create.ts';
export { deleteResource } from './delete.ts';
export { forceDeleteResource } from './force-delete.ts';
export { listResources, listStatuses } from './list.ts';
export { findTarget } from './lookup.ts';
export { patchResource } from './patch.ts';
export { reportStatus } from './report.ts';
