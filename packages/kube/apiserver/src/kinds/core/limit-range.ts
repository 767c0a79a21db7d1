import type { Draft, KindBehaviour } from '../behaviour.ts';
import { child, items, maybe } from '../defaulting.ts';
import { createdAtCells, createdAtColumns } from '../table/columns.ts';
import { validateLimitRange } from './limits-validation.ts';
import { canonicalList } from './resources/canonical.ts';

const lists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

/** For containers: a default limit follows from the maximum, a default request from the default limit or the minimum. */
function defaultItem(item: Draft): void {
  for (const list of lists) canonicalList(item, list);
  if (item['type'] !== 'Container') return;
  const limit = child(item, 'default');
  const request = child(item, 'defaultRequest');
  fillFrom(limit, maybe(item, 'max'));
  fillFrom(request, limit);
  fillFrom(request, maybe(item, 'min'));
  // Empty maps are not written.
  for (const key of ['default', 'defaultRequest']) if (Object.keys(item[key]).length === 0) delete item[key];
}

function fillFrom(target: Draft, source: Draft | undefined): void {
  for (const key of Object.keys(source ?? {})) if (!Object.hasOwn(target, key)) target[key] = source?.[key];
}

export const limitRange: KindBehaviour = {
  defaults: (draft) => {
    for (const item of items(child(draft, 'spec'), 'limits')) defaultItem(item);
  },
  validate: validateLimitRange,
  unconditionalUpdate: true,
  createOnUpdate: true,
  columns: createdAtColumns,
  cells: createdAtCells,
};
