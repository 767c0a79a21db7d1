import type { KindBehaviour } from '../behaviour.ts';
import { ageColumn, ageOf, flag, nameColumn, nameOf, text } from '../table/columns.ts';
import { fieldsOf, specOf, statusOf, textOf } from '../values.ts';
import { validateAttachment, validateAttachmentUpdate } from './validation.ts';

export const volumeAttachment: KindBehaviour = {
  validate: validateAttachment,
  validateUpdate: validateAttachmentUpdate,
  prepareForCreate: (draft) => {
    draft['status'] = { attached: false };
  },
  status: {},
  columns: [
    nameColumn,
    { ...text('Attacher', 'Driver that attaches it.'), format: 'name' },
    text('PV', 'Volume that is attached.'),
    text('Node', 'Node it is attached to.'),
    flag('Attached', 'Whether it is attached.'),
    ageColumn,
  ],
  cells: (object, now) => {
    const spec = specOf(object);
    return [
      nameOf(object),
      textOf(spec['attacher']),
      textOf(fieldsOf(spec['source'])['persistentVolumeName']),
      textOf(spec['nodeName']),
      statusOf(object)['attached'] === true,
      ageOf(object, now),
    ];
  },
};
