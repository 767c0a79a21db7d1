/** SQL of the tables, and nothing else: no rule lives here. */
export { countResources, selectResources } from './resource-rows.ts';
export {
  insertResource,
  removeInboundReferences,
  removeResource,
  replaceConditions,
  replaceLabels,
  replaceReferences,
  updateResource,
} from './resource-writes.ts';
export { countStatuses, selectStatuses, selectStatusesOf, upsertStatus } from './status-rows.ts';
export { uuid7 } from './uuid7.ts';
