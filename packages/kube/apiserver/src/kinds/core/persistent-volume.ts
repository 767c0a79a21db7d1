import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Draft, KindBehaviour } from '../behaviour.ts';
import { child, setDefault } from '../defaulting.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text, wide } from '../table/columns.ts';
import { accessModes } from '../table/format.ts';
import { fieldsOf, isSet, specOf, statusOf, textOf } from '../values.ts';
import { defaultSharedSources } from './pod-spec/volume-defaults.ts';
import { validateVolume, validateVolumeUpdate } from './persistent-volume-validation.ts';
import { canonicalList } from './resources/canonical.ts';

function defaultVolume(volume: Draft): void {
  setDefault(child(volume, 'status'), 'phase', 'Pending');
  const spec = child(volume, 'spec');
  setDefault(spec, 'persistentVolumeReclaimPolicy', 'Retain');
  setDefault(spec, 'volumeMode', 'Filesystem');
  canonicalList(spec, 'capacity');
  defaultSharedSources(spec);
}

function cells(volume: UnstructuredObject, now: number): readonly unknown[] {
  const spec = specOf(volume);
  const status = statusOf(volume);
  const claim = fieldsOf(spec['claimRef']);
  const annotations = fieldsOf(volume.metadata.annotations);
  return [
    nameOf(volume),
    String(fieldsOf(spec['capacity'])['storage'] ?? '0'),
    accessModes(spec['accessModes']),
    textOf(spec['persistentVolumeReclaimPolicy']),
    volume.metadata.deletionTimestamp === undefined ? textOf(status['phase']) : 'Terminating',
    isSet(spec['claimRef']) ? `${textOf(claim['namespace'])}/${textOf(claim['name'])}` : '',
    textOf(annotations['volume.beta.kubernetes.io/storage-class']) || textOf(spec['storageClassName']),
    isSet(spec['volumeAttributesClassName']) ? textOf(spec['volumeAttributesClassName']) : '<unset>',
    textOf(status['reason']),
    ageOf(volume, now),
    isSet(spec['volumeMode']) ? textOf(spec['volumeMode']) : '<unset>',
  ];
}

export const persistentVolume: KindBehaviour = {
  defaults: defaultVolume,
  prepareForCreate: (draft, scope) => {
    draft['status'] = {
      phase: 'Pending',
      lastPhaseTransitionTime: new Date(scope.now).toISOString().replace(/\.\d+Z$/, 'Z'),
    };
  },
  validate: validateVolume,
  validateUpdate: validateVolumeUpdate,
  status: {
    prepare: (draft, old, scope) => {
      const status = child(draft, 'status');
      if (status['phase'] !== statusOf(old)['phase'] && !isSet(status['lastPhaseTransitionTime']))
        status['lastPhaseTransitionTime'] = new Date(scope.now).toISOString().replace(/\.\d+Z$/, 'Z');
    },
  },
  selectableFields: { name: nameOf },
  warnings: (object) =>
    specOf(object)['persistentVolumeReclaimPolicy'] === 'Recycle'
      ? [
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
        ]
      : [],
  unconditionalUpdate: true,
  columns: [
    nameColumn,
    text('Capacity', 'Size of the volume.'),
    text('Access Modes', 'How it can be mounted.'),
    text('Reclaim Policy', 'What happens to it when its claim is deleted.'),
    text('Status', 'Phase of the volume.'),
    text('Claim', 'Claim it is bound to.'),
    text('StorageClass', 'Class it belongs to.'),
    text('VolumeAttributesClass', 'Attributes class it has.'),
    text('Reason', 'Why it is in this phase.'),
    ageColumn,
    wide(text('VolumeMode', 'Filesystem or Block.')),
  ],
  cells,
};
