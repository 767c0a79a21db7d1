import type { KindBehaviour } from '../behaviour.ts';
import { nameAgeCells, nameAgeColumns } from '../table/columns.ts';

export const serviceAccount: KindBehaviour = {
  unconditionalUpdate: true,
  columns: nameAgeColumns,
  cells: nameAgeCells,
};
