import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Column } from '../kinds/behaviour.ts';
import { humanDuration } from '../kinds/human-duration.ts';

/** NAME and CREATED AT: the table of a kind that has no columns of its own. */
export const objectColumns: {
  readonly columns: readonly Column[];
  cells(object: UnstructuredObject, now: number): unknown[];
} = {
  columns: [
    {
      name: 'Name',
      type: 'string',
      format: 'name',
      description: 'Name of the object, unique within its namespace.',
      priority: 0,
    },
    { name: 'Age', type: 'string', description: 'Time since the object was created.', priority: 0 },
  ],
  cells: ({ metadata }, now) => [
    metadata.name ?? '',
    metadata.creationTimestamp ? humanDuration(now - Date.parse(metadata.creationTimestamp)) : '<unknown>',
  ],
};
