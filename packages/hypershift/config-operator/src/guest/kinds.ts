import { type CrdManifest, crdOf, defineKind, object, openshift } from '@hypershift-ts/hypershift-api';

/** Counts of requests to APIs that are going away; the API server of OpenShift keeps them. */
const apiRequestCount = defineKind({
  group: 'apiserver.openshift.io',
  version: 'v1',
  kind: 'APIRequestCount',
  plural: 'apirequestcounts',
  scope: 'Cluster',
  description: 'How often a resource was asked for, and by whom.',
  statusSubresource: true,
  columns: [
    { name: 'RemovedInRelease', type: 'string', jsonPath: '.status.removedInRelease' },
    { name: 'RequestsInCurrentHour', type: 'integer', jsonPath: '.status.currentHour.requestCount' },
    { name: 'RequestsInLast24h', type: 'integer', jsonPath: '.status.requestCount' },
  ],
  fields: {
    spec: object({}, { keepUnknown: true }).unenforced(),
    status: object({}, { keepUnknown: true }).optional(),
  },
});

/** Groups whose kinds the operators of a hosted cluster configure it by. */
const groups = new Set([
  'config.openshift.io',
  'operator.openshift.io',
  'imageregistry.operator.openshift.io',
  'apiserver.openshift.io',
]);

let made: readonly CrdManifest[] | undefined;

/** CRDs a hosted cluster needs before its operators can work. One copy serves every hosted cluster. */
export function guestCrds(): readonly CrdManifest[] {
  const extra = crdOf(apiRequestCount, 'Default');
  made ??= [...openshift.openshiftCrds(), ...(extra ? [extra] : [])].filter(({ spec }) => groups.has(spec.group));
  return made;
}
