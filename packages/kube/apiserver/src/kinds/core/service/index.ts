import type { KindBehaviour } from '../../behaviour.ts';
import { isEmpty, specOf, textOf } from '../../values.ts';
import { serviceCells, serviceColumns } from './columns.ts';
import { defaultService } from './defaults.ts';
import { validateService, validateServiceUpdate } from './validation.ts';
import { prepareServiceForCreate, prepareServiceForUpdate } from './strategy.ts';

export const service: KindBehaviour = {
  defaults: defaultService,
  prepareForCreate: prepareServiceForCreate,
  prepareForUpdate: prepareServiceForUpdate,
  validate: validateService,
  validateUpdate: validateServiceUpdate,
  status: {},
  selectableFields: {
    'spec.clusterIP': (object) => textOf(specOf(object)['clusterIP']),
    'spec.type': (object) => textOf(specOf(object)['type']),
  },
  warnings: (object) =>
    isEmpty(specOf(object)['externalIPs'])
      ? []
      : ['spec.externalIPs is deprecated and may no longer be implemented in some clusters'],
  // Names may begin with a digit since 1.36.
  nameRule: 'label',
  unconditionalUpdate: true,
  createOnUpdate: true,
  columns: serviceColumns,
  cells: serviceCells,
};
