import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { KindBehaviour } from '../behaviour.ts';
import { setDefault } from '../defaulting.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import { textOf } from '../values.ts';
import { validateStorageClass, validateStorageClassUpdate } from './validation.ts';

const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
] as const;

function shownName(object: UnstructuredObject): string {
  const isDefault = defaultAnnotations.some((key) => object.metadata.annotations?.[key] === 'true');
  return isDefault ? `${nameOf(object)} (default)` : nameOf(object);
}

export const storageClass: KindBehaviour = {
  validate: validateStorageClass,
  validateUpdate: validateStorageClassUpdate,
  defaults: (draft) => {
    setDefault(draft, 'reclaimPolicy', 'Delete');
    setDefault(draft, 'volumeBindingMode', 'Immediate');
  },
  unconditionalUpdate: true,
  columns: [
    nameColumn,
    text('Provisioner', 'What makes its volumes.'),
    text('ReclaimPolicy', 'What happens to a volume when its claim is deleted.'),
    text('VolumeBindingMode', 'When a claim gets its volume.'),
    text('AllowVolumeExpansion', 'Whether volumes can grow.'),
    ageColumn,
  ],
  cells: (object, now) => [
    shownName(object),
    textOf(object['provisioner']),
    textOf(object['reclaimPolicy']) || 'Delete',
    textOf(object['volumeBindingMode']) || 'Immediate',
    object['allowVolumeExpansion'] === true,
    ageOf(object, now),
  ],
};
