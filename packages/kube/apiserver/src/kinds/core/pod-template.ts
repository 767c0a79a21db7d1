import type { KindBehaviour } from '../behaviour.ts';
import { nameColumn, nameOf, text } from '../table/columns.ts';
import { containerCells, formatLabels } from '../table/format.ts';
import { fieldsOf } from '../values.ts';
import { defaultPodTemplate } from './pod-spec/defaults.ts';
import { validatePodTemplate } from './pod-spec/validation.ts';

export const podTemplate: KindBehaviour = {
  defaults: (draft) => defaultPodTemplate(draft),
  validate: (object) => validatePodTemplate(fieldsOf(object['template']), 'template'),
  generation: true,
  unconditionalUpdate: true,
  columns: [
    nameColumn,
    text('Containers', 'Names of the containers.'),
    text('Images', 'Images of the containers.'),
    text('Pod Labels', 'Labels of the pods made from it.'),
  ],
  cells: (object) => {
    const template = fieldsOf(object['template']);
    return [
      nameOf(object),
      ...containerCells(template['spec']),
      formatLabels(fieldsOf(template['metadata'])['labels']),
    ];
  },
};
