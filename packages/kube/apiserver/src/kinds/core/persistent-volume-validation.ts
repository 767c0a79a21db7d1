import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError, isDNS1123Subdomain, validateLabelSelector } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../behaviour.ts';
import { format, immutable, required, supported } from '../rules/checks.ts';
import { fieldsOf, isEmpty, isSet, specOf, statusOf, stringsOf } from '../values.ts';
import { validateNodeSelector } from './pod-spec/scheduling-validation.ts';
import { compareQuantities, isQuantity, quantityFault, quantityIsPositive } from './resources/compare.ts';
import { semanticEqual } from '../rules/semantic-equality.ts';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'] as const;

const volumeSources = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const;

function validateAccessModes(errors: FieldError[], spec: Draft, field: string, detail: string): void {
  const modes = stringsOf(spec['accessModes']);
  required(errors, `${field}.accessModes`, modes, detail);
  for (const mode of modes) supported(errors, `${field}.accessModes`, mode, accessModes);
  if (modes.includes('ReadWriteOncePod') && modes.length > 1)
    errors.push(fieldError.forbidden(`${field}.accessModes`, 'may not use ReadWriteOncePod with other access modes'));
}

function positiveQuantity(errors: FieldError[], value: unknown, field: string): void {
  if (!isQuantity(value)) errors.push(fieldError.invalid(field, value, quantityFault));
  else if (!quantityIsPositive(value)) errors.push(fieldError.invalid(field, value, 'must be greater than zero'));
}

export function validateVolume(volume: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(volume);
  const capacity = fieldsOf(spec['capacity']);
  validateAccessModes(errors, spec, 'spec', '');
  if (required(errors, 'spec.capacity', capacity)) {
    if (!Object.hasOwn(capacity, 'storage') || Object.keys(capacity).length > 1)
      errors.push(fieldError.notSupported('spec.capacity', capacity, ['storage']));
    for (const name of Object.keys(capacity)) positiveQuantity(errors, capacity[name], `spec.capacity[${name}]`);
  }
  supported(errors, 'spec.persistentVolumeReclaimPolicy', spec['persistentVolumeReclaimPolicy'], [
    'Delete',
    'Recycle',
    'Retain',
  ]);
  const given = volumeSources.filter((source) => isSet(spec[source]));
  if (given.length === 0) errors.push(fieldError.required('spec', 'must specify a volume type'));
  for (const source of given.slice(1))
    errors.push(fieldError.forbidden(`spec.${source}`, 'may not specify more than 1 volume type'));
  const hostPath = fieldsOf(spec['hostPath']);
  if (isSet(spec['hostPath'])) {
    required(errors, 'spec.hostPath.path', hostPath['path']);
    if (hostPath['path'] === '/' && spec['persistentVolumeReclaimPolicy'] === 'Recycle')
      errors.push(
        fieldError.forbidden('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'"),
      );
  }
  if (isSet(spec['csi'])) {
    required(errors, 'spec.csi.driver', fieldsOf(spec['csi'])['driver']);
    required(errors, 'spec.csi.volumeHandle', fieldsOf(spec['csi'])['volumeHandle']);
  }
  if (isSet(spec['local'])) {
    required(errors, 'spec.local.path', fieldsOf(spec['local'])['path']);
    if (!isSet(spec['nodeAffinity']))
      errors.push(fieldError.required('spec.nodeAffinity', 'Local volume requires node affinity'));
  }
  const affinity = fieldsOf(spec['nodeAffinity']);
  if (isSet(affinity['required']))
    validateNodeSelector(errors, fieldsOf(affinity['required']), 'spec.nodeAffinity.required');
  if (!isEmpty(spec['storageClassName']))
    format(errors, 'spec.storageClassName', spec['storageClassName'], isDNS1123Subdomain);
  supported(errors, 'spec.volumeMode', spec['volumeMode'], ['Block', 'Filesystem']);
  return errors;
}

export function validateVolumeUpdate(volume: UnstructuredObject, old: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(volume);
  const before = specOf(old);
  const source = (from: Draft) => Object.fromEntries(volumeSources.map((key) => [key, from[key]]));
  if (!semanticEqual(source(spec), source(before)))
    errors.push(
      fieldError.forbidden('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation'),
    );
  immutable(errors, 'spec.volumeMode', spec['volumeMode'], before['volumeMode']);
  if (isSet(before['nodeAffinity']))
    immutable(errors, 'spec.nodeAffinity', spec['nodeAffinity'], before['nodeAffinity']);
  return errors;
}

export function validateClaimSpec(spec: Draft, field: string): FieldError[] {
  const errors: FieldError[] = [];
  validateAccessModes(errors, spec, field, 'at least 1 access mode is required');
  if (isSet(spec['selector'])) errors.push(...validateLabelSelector(fieldsOf(spec['selector']), `${field}.selector`));
  const storage = fieldsOf(fieldsOf(spec['resources'])['requests'])['storage'];
  if (!isSet(storage)) errors.push(fieldError.required(`${field}.resources[storage]`));
  else positiveQuantity(errors, storage, `${field}.resources[storage]`);
  if (!isEmpty(spec['storageClassName']))
    format(errors, `${field}.storageClassName`, spec['storageClassName'], isDNS1123Subdomain);
  supported(errors, `${field}.volumeMode`, spec['volumeMode'], ['Block', 'Filesystem']);
  for (const key of ['dataSource', 'dataSourceRef']) {
    if (!isSet(spec[key])) continue;
    const source = fieldsOf(spec[key]);
    required(errors, `${field}.${key}.name`, source['name']);
    required(errors, `${field}.${key}.kind`, source['kind']);
    if (isEmpty(source['apiGroup']) && source['kind'] !== 'PersistentVolumeClaim')
      errors.push(
        fieldError.invalid(
          `${field}.${key}`,
          source['kind'],
          "must be 'PersistentVolumeClaim' when referencing the default apiGroup",
        ),
      );
  }
  return errors;
}

/** Once made, a claim can only be bound, and a bound one can only grow. */
export function validateClaimUpdate(claim: UnstructuredObject, old: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(claim);
  const before = specOf(old);
  const fixed = (from: Draft, reference: Draft): Draft => {
    const copy: Draft = { ...from };
    delete copy['volumeAttributesClassName'];
    delete copy['resources'];
    if (isEmpty(reference['volumeName'])) delete copy['volumeName'];
    // A claim that named no class may be given the default one afterwards.
    if (!isSet(reference['storageClassName'])) delete copy['storageClassName'];
    return copy;
  };
  const size = (from: Draft) => fieldsOf(fieldsOf(from['resources'])['requests'])['storage'];
  const bound = statusOf(old)['phase'] === 'Bound';
  const resized = (compareQuantities(size(spec), size(before)) ?? 0) !== 0;
  if (!semanticEqual(fixed(spec, before), fixed(before, before)) || (resized && !bound))
    errors.push(
      fieldError.forbidden(
        'spec',
        'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
      ),
    );
  else if (resized && (compareQuantities(size(spec), size(before)) ?? 0) < 0) {
    const capacity = fieldsOf(statusOf(old)['capacity'])['storage'];
    // An expansion that has not happened yet can be taken back, down to what is really there.
    if (!isSet(capacity) || (compareQuantities(size(spec), capacity) ?? 0) <= 0)
      errors.push(
        fieldError.forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'),
      );
  }
  return errors;
}
