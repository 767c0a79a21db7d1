import type { KindBehaviour } from '../behaviour.ts';
import { nameAgeCells, nameAgeColumns } from '../table/columns.ts';

const mountableSecrets = 'kubernetes.io/enforce-mountable-secrets';

export const serviceAccount: KindBehaviour = {
  warnings: (object) =>
    object.metadata.annotations?.[mountableSecrets] === undefined
      ? []
      : [
          `metadata.annotations[${mountableSecrets}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
        ],
  unconditionalUpdate: true,
  columns: nameAgeColumns,
  cells: nameAgeCells,
};
