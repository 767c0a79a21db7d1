/** The resource: its shape, its address, the rules on what may be written, and how it is shown. */
export { objectBody } from './body.ts';
export {
  type AdapterCondition,
  type AdapterStatus,
  isDeleting,
  type Owner,
  type Reference,
  type ReportStatus,
  type Resource,
  type ResourceCondition,
} from './model.ts';
export { apiPrefix, hrefOf, presentList, presentResource, presentStatus } from './present.ts';
export { checkReferences, type RequestedReferences, type WantedReference } from './reference-rules.ts';
export {
  createRequest,
  type CreateRequest,
  forceDeleteReason,
  kindOf,
  patchRequest,
  type PatchRequest,
} from './requests.ts';
