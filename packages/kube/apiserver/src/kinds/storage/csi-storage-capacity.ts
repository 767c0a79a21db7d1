import type { KindBehaviour } from '../behaviour.ts';
import { nameColumn, nameOf, text } from '../table/columns.ts';
import { isSet, textOf } from '../values.ts';
import { validateStorageCapacity, validateStorageCapacityUpdate } from './validation.ts';

export const csiStorageCapacity: KindBehaviour = {
  validate: validateStorageCapacity,
  validateUpdate: validateStorageCapacityUpdate,
  columns: [nameColumn, text('StorageClassName', 'Class the capacity is for.'), text('Capacity', 'Free space.')],
  cells: (object) => [
    nameOf(object),
    textOf(object['storageClassName']),
    isSet(object['capacity']) ? String(object['capacity']) : '<unset>',
  ],
};
