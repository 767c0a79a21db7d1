import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Draft, KindBehaviour } from '../behaviour.ts';
import { child, maybe, setDefault } from '../defaulting.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text, wide } from '../table/columns.ts';
import { accessModes } from '../table/format.ts';
import { fieldsOf, isSet, specOf, statusOf, textOf } from '../values.ts';
import { defaultClaimSpec } from './claim-spec.ts';
import { validateClaimSpec, validateClaimUpdate } from './persistent-volume-validation.ts';
import { canonicalList } from './resources/canonical.ts';

function defaultClaim(claim: Draft): void {
  const status = child(claim, 'status');
  setDefault(status, 'phase', 'Pending');
  canonicalList(status, 'capacity');
  canonicalList(status, 'allocatedResources');
  defaultClaimSpec(child(claim, 'spec'));
}

/** dataSource knows two kinds only, dataSourceRef any; the one that is missing is made of the other. */
function alignDataSources(spec: Draft): void {
  const source = maybe(spec, 'dataSource');
  if (source && !isClaimOrSnapshot(source)) delete spec['dataSource'];
  const reference = maybe(spec, 'dataSourceRef');
  if (source && spec['dataSource'] && !reference) spec['dataSourceRef'] = { ...source };
  else if (!source && reference && !reference['namespace'] && isClaimOrSnapshot(reference))
    spec['dataSource'] = { ...reference };
}

function isClaimOrSnapshot({ apiGroup, kind }: Draft): boolean {
  const core = apiGroup === undefined || apiGroup === '';
  return (
    (core && kind === 'PersistentVolumeClaim') || (apiGroup === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot')
  );
}

function cells(claim: UnstructuredObject, now: number): readonly unknown[] {
  const spec = specOf(claim);
  const status = statusOf(claim);
  const bound = textOf(spec['volumeName']) !== '';
  const annotations = fieldsOf(claim.metadata.annotations);
  return [
    nameOf(claim),
    claim.metadata.deletionTimestamp === undefined ? textOf(status['phase']) : 'Terminating',
    textOf(spec['volumeName']),
    bound ? String(fieldsOf(status['capacity'])['storage'] ?? '0') : '',
    bound ? accessModes(status['accessModes']) : '',
    textOf(annotations['volume.beta.kubernetes.io/storage-class']) || textOf(spec['storageClassName']),
    isSet(spec['volumeAttributesClassName']) ? textOf(spec['volumeAttributesClassName']) : '<unset>',
    ageOf(claim, now),
    isSet(spec['volumeMode']) ? textOf(spec['volumeMode']) : '<unset>',
  ];
}

export const persistentVolumeClaim: KindBehaviour = {
  defaults: defaultClaim,
  prepareForCreate: (draft) => {
    draft['status'] = { phase: 'Pending' };
    alignDataSources(child(draft, 'spec'));
  },
  prepareForUpdate: (draft) => alignDataSources(child(draft, 'spec')),
  validate: (object) => validateClaimSpec(specOf(object), 'spec'),
  validateUpdate: validateClaimUpdate,
  status: {},
  selectableFields: { name: nameOf },
  unconditionalUpdate: true,
  columns: [
    nameColumn,
    text('Status', 'Phase of the claim.'),
    text('Volume', 'Volume it is bound to.'),
    text('Capacity', 'Size of that volume.'),
    text('Access Modes', 'How that volume can be mounted.'),
    text('StorageClass', 'Class it asks for.'),
    text('VolumeAttributesClass', 'Attributes class it asks for.'),
    ageColumn,
    wide(text('VolumeMode', 'Filesystem or Block.')),
  ],
  cells,
};
