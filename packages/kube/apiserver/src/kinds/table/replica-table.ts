import type { Draft, KindBehaviour } from '../behaviour.ts';
import { fieldsOf, numberOf, specOf, statusOf } from '../values.ts';
import { ageColumn, ageOf, integer, nameColumn, nameOf, workloadWideColumns } from './columns.ts';
import { containerCells } from './format.ts';

/** The table of a kind that keeps a number of equal pods; only the form of the selector differs among them. */
export function replicaTable(selectorText: (selector: Draft[string]) => string) {
  return {
    columns: [
      nameColumn,
      integer('Desired', 'Pods wanted.'),
      integer('Current', 'Pods that exist.'),
      integer('Ready', 'Pods that are ready.'),
      ageColumn,
      ...workloadWideColumns,
    ],
    cells: (object, now) => {
      const spec = specOf(object);
      const status = statusOf(object);
      return [
        nameOf(object),
        numberOf(spec['replicas']),
        numberOf(status['replicas']),
        numberOf(status['readyReplicas']),
        ageOf(object, now),
        ...containerCells(fieldsOf(spec['template'])['spec']),
        selectorText(spec['selector']),
      ];
    },
  } satisfies Pick<KindBehaviour, 'columns' | 'cells'>;
}
