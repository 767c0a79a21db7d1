import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Draft, KindBehaviour } from '../behaviour.ts';
import { child, maybe } from '../defaulting.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import { fieldsOf, statusOf } from '../values.ts';
import { validateQuota, validateQuotaStatus, validateQuotaUpdate } from './limits-validation.ts';
import { canonicalList } from './resources/canonical.ts';

function defaultQuota(quota: Draft): void {
  canonicalList(child(quota, 'spec'), 'hard');
  const status = maybe(quota, 'status');
  if (!status) return;
  canonicalList(status, 'hard');
  canonicalList(status, 'used');
}

function usage(quota: UnstructuredObject, limits: boolean): string {
  const status = statusOf(quota);
  const hard = fieldsOf(status['hard']);
  const used = fieldsOf(status['used']);
  return Object.keys(hard)
    .sort()
    .filter((name) => name.startsWith('limits.') === limits)
    .map((name) => `${name}: ${used[name] ?? '0'}/${hard[name]}`)
    .join(', ');
}

export const resourceQuota: KindBehaviour = {
  defaults: defaultQuota,
  prepareForCreate: (draft) => {
    draft['status'] = {};
  },
  validate: validateQuota,
  validateUpdate: validateQuotaUpdate,
  status: { prepare: defaultQuota, validate: validateQuotaStatus },
  unconditionalUpdate: true,
  columns: [
    nameColumn,
    text('Request', 'Used and allowed, requests and counts.'),
    text('Limit', 'Used and allowed, limits.'),
    ageColumn,
  ],
  cells: (object, now) => [nameOf(object), usage(object, false), usage(object, true), ageOf(object, now)],
};
