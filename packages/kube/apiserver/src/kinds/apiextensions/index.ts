import type { KindBehaviour } from '../behaviour.ts';
import { createdAtCells, createdAtColumns } from '../table/columns.ts';

/** Only what is generic: the validation and defaulting of definitions belong to the custom resource machinery. */
export const apiextensionsKinds: Readonly<Record<string, KindBehaviour>> = {
  'customresourcedefinitions.apiextensions.k8s.io': {
    generation: true,
    status: {},
    columns: createdAtColumns,
    cells: createdAtCells,
  },
};
