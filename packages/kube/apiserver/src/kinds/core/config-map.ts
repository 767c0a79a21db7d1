import type { KindBehaviour } from '../behaviour.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import { fieldsOf } from '../values.ts';

export const configMap: KindBehaviour = {
  unconditionalUpdate: true,
  columns: [nameColumn, text('Data', 'How many entries it has.'), ageColumn],
  cells: (object, now) => [
    nameOf(object),
    Object.keys(fieldsOf(object['data'])).length + Object.keys(fieldsOf(object['binaryData'])).length,
    ageOf(object, now),
  ],
};
