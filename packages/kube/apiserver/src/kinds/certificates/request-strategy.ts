import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { formatTime } from '@hypershift-ts/kube-apimachinery';
import type { Draft, WriteScope } from '../behaviour.ts';
import { child, items } from '../defaulting.ts';
import { listOf, statusOf } from '../values.ts';

/** Writes down who asks, from the authenticated request and nothing else: signers trust these fields. */
export function prepareRequestForCreate(csr: Draft, scope: WriteScope): void {
  const spec = child(csr, 'spec');
  for (const key of ['username', 'uid', 'groups', 'extra']) delete spec[key];
  const { name, uid, groups, extra } = scope.user;
  spec['username'] = name;
  if (uid) spec['uid'] = uid;
  if (groups.length > 0) spec['groups'] = [...groups];
  if (extra && Object.keys(extra).length > 0)
    spec['extra'] = Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]));
  csr['status'] = {};
}

/** The spec never changes after creation. */
export function prepareRequestForUpdate(csr: Draft, old: UnstructuredObject): void {
  csr['spec'] = old['spec'];
}

/** /status: decisions about approval are carried over as they were, times of other conditions are filled in. */
export function prepareRequestStatus(csr: Draft, old: UnstructuredObject, scope: WriteScope): void {
  const status = child(csr, 'status');
  for (const type of ['Approved', 'Denied']) keepConditions(status, old, type);
  fillConditionTimes(status, old, scope.now);
}

/** /approval: only conditions change; everything else is taken from `old`. */
export function prepareRequestApproval(csr: Draft, old: UnstructuredObject, scope: WriteScope): void {
  const given = child(csr, 'status');
  fillConditionTimes(given, old, scope.now);
  csr['spec'] = old['spec'];
  csr['status'] = { ...statusOf(old), conditions: given['conditions'] };
  if (given['conditions'] === undefined) delete csr['status'].conditions;
}

function keepConditions(status: Draft, old: UnstructuredObject, type: string): void {
  const before = listOf(statusOf(old)['conditions']).filter((condition) => condition['type'] === type);
  const list = status['conditions'];
  if (!Array.isArray(list)) return;
  const places = list.flatMap((condition, index) => (condition?.type === type ? [index] : []));
  // A differing number is a change that validation refuses with a better message.
  if (places.length !== before.length) return;
  places.forEach((place, index) => {
    list[place] = before[index];
  });
}

function fillConditionTimes(status: Draft, old: UnstructuredObject, nowMs: number): void {
  const now = formatTime(nowMs);
  const list = status['conditions'];
  if (!Array.isArray(list)) return;
  for (const condition of items(status, 'conditions')) {
    if (Object.isFrozen(condition)) continue;
    condition['lastUpdateTime'] ??= now;
    const same = listOf(statusOf(old)['conditions']).find(
      (entry) => entry['type'] === condition['type'] && entry['status'] === condition['status'],
    );
    condition['lastTransitionTime'] ??= same?.['lastTransitionTime'] ?? now;
  }
}
