import type { KindBehaviour } from '../behaviour.ts';
import { ageColumn, ageOf, integer, nameColumn, nameOf } from '../table/columns.ts';
import { listOf, specOf } from '../values.ts';
import { validateCsiNode } from './validation.ts';

export const csiNode: KindBehaviour = {
  validate: validateCsiNode,
  columns: [nameColumn, integer('Drivers', 'How many drivers run on the node.'), ageColumn],
  cells: (object, now) => [nameOf(object), listOf(specOf(object)['drivers']).length, ageOf(object, now)],
};
