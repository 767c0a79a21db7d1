import type { KindBehaviour } from '../behaviour.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import { textOf } from '../values.ts';
import { validateVolumeAttributesClass, validateVolumeAttributesClassUpdate } from './validation.ts';

export const volumeAttributesClass: KindBehaviour = {
  validate: validateVolumeAttributesClass,
  validateUpdate: validateVolumeAttributesClassUpdate,
  unconditionalUpdate: true,
  columns: [nameColumn, text('DriverName', 'Driver that knows the attributes.'), ageColumn],
  cells: (object, now) => [nameOf(object), textOf(object['driverName']), ageOf(object, now)],
};
