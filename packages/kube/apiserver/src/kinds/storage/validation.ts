import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import {
  fieldError,
  isDNS1123Subdomain,
  isQualifiedName,
  validateLabelSelector,
} from '@hypershift-ts/kube-apimachinery';
import { format, immutable, required, supported, supportedOrMissing } from '../rules/checks.ts';
import { fieldsOf, isEmpty, isSet, listOf, specOf, stringsOf, textOf } from '../values.ts';
import { semanticEqual } from '../rules/semantic-equality.ts';

function validateProvisioner(errors: FieldError[], field: string, provisioner: unknown): void {
  if (required(errors, field, provisioner)) format(errors, field, textOf(provisioner).toLowerCase(), isQualifiedName);
}

function forbidChanges(
  object: UnstructuredObject,
  old: UnstructuredObject,
  fields: readonly string[],
): readonly FieldError[] {
  return fields
    .filter((field) => !semanticEqual(object[field] ?? undefined, old[field] ?? undefined))
    .map((field) => fieldError.forbidden(field, `updates to ${field} are forbidden.`));
}

const maxParameters = 512;
const maxParameterBytes = 256 * 1024;

export function validateStorageClass(object: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  validateProvisioner(errors, 'provisioner', object['provisioner']);
  const parameters = Object.entries(fieldsOf(object['parameters']));
  if (parameters.length > maxParameters) errors.push(fieldError.tooLong('parameters', maxParameters));
  let bytes = 0;
  for (const [key, value] of parameters) {
    if (key === '') errors.push(fieldError.invalid('parameters', key, 'field can not be empty.'));
    bytes += Buffer.byteLength(key) + Buffer.byteLength(textOf(value));
  }
  if (bytes > maxParameterBytes) errors.push(fieldError.tooLong('parameters', maxParameterBytes));
  supported(errors, 'reclaimPolicy', object['reclaimPolicy'], ['Delete', 'Retain']);
  supportedOrMissing(errors, 'volumeBindingMode', object['volumeBindingMode'], ['Immediate', 'WaitForFirstConsumer']);
  listOf(object['allowedTopologies']).forEach((term, index) =>
    listOf(term['matchLabelExpressions']).forEach((requirement, at) => {
      const field = `allowedTopologies[${index}].matchLabelExpressions[${at}]`;
      required(errors, `${field}.values`, requirement['values']);
      format(errors, `${field}.key`, requirement['key'], isQualifiedName);
    }),
  );
  return errors;
}

/** Volumes were already made by the class's rules. */
export function validateStorageClassUpdate(object: UnstructuredObject, old: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [...forbidChanges(object, old, ['parameters', 'provisioner', 'reclaimPolicy'])];
  immutable(errors, 'volumeBindingMode', object['volumeBindingMode'], old['volumeBindingMode']);
  return errors;
}

export function validateVolumeAttributesClass(object: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  validateProvisioner(errors, 'driverName', object['driverName']);
  if (isEmpty(object['parameters']))
    errors.push(fieldError.required('parameters', 'must contain at least one key/value pair'));
  return errors;
}

export function validateVolumeAttributesClassUpdate(
  object: UnstructuredObject,
  old: UnstructuredObject,
): readonly FieldError[] {
  return forbidChanges(object, old, ['driverName', 'parameters']);
}

export function validateAttachment(object: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(object);
  const source = fieldsOf(spec['source']);
  validateProvisioner(errors, 'spec.attacher', spec['attacher']);
  const detail = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  const inline = isSet(source['inlineVolumeSpec']);
  const named = isSet(source['persistentVolumeName']);
  if (inline && named) errors.push(fieldError.forbidden('spec.source', detail));
  else if (!inline && !named) errors.push(fieldError.required('spec.source', detail));
  else if (named && source['persistentVolumeName'] === '')
    errors.push(fieldError.required('spec.source.persistentVolumeName', 'must specify non empty persistentVolumeName'));
  format(errors, 'spec.nodeName', spec['nodeName'], isDNS1123Subdomain);
  return errors;
}

export function validateAttachmentUpdate(object: UnstructuredObject, old: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  immutable(errors, 'spec', object['spec'], old['spec']);
  return errors;
}

const maxNodeId = 256;

export function validateCsiNode(object: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  listOf(specOf(object)['drivers']).forEach((driver, index) => {
    const field = `spec.drivers[${index}]`;
    const name = textOf(driver['name']);
    if (required(errors, `${field}.name`, name))
      format(errors, `${field}.name`, name.toLowerCase(), isDNS1123Subdomain);
    const id = textOf(driver['nodeID']);
    required(errors, `${field}.nodeID`, id);
    if (id.length > maxNodeId)
      errors.push(fieldError.invalid(`${field}.nodeID`, id, `must be ${maxNodeId} characters or less`));
    if (names.has(name)) errors.push(fieldError.duplicate(`${field}.name`, name));
    names.add(name);
    stringsOf(driver['topologyKeys']).forEach((key, at) =>
      format(errors, `${field}.topologyKeys[${at}]`, key, isQualifiedName),
    );
  });
  return errors;
}

export function validateCsiDriver(object: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(object);
  supported(errors, 'spec.fsGroupPolicy', spec['fsGroupPolicy'], ['File', 'None', 'ReadWriteOnceWithFSType']);
  for (const mode of stringsOf(spec['volumeLifecycleModes']))
    supported(errors, 'spec.volumeLifecycleModes', mode, ['Persistent', 'Ephemeral']);
  const audiences = new Set<string>();
  listOf(spec['tokenRequests']).forEach((request, index) => {
    const field = `spec.tokenRequests[${index}]`;
    const audience = textOf(request['audience']);
    if (audiences.has(audience)) errors.push(fieldError.duplicate(`${field}.audience`, audience));
    audiences.add(audience);
    const seconds = request['expirationSeconds'];
    if (typeof seconds === 'number' && seconds < 600)
      errors.push(
        fieldError.invalid(`${field}.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes'),
      );
  });
  return errors;
}

export function validateCsiDriverUpdate(object: UnstructuredObject, old: UnstructuredObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const key of ['attachRequired', 'volumeLifecycleModes'])
    immutable(errors, `spec.${key}`, specOf(object)[key], specOf(old)[key]);
  return errors;
}

export function validateStorageCapacity(object: UnstructuredObject): readonly FieldError[] {
  const errors = validateLabelSelector(fieldsOf(object['nodeTopology']), 'nodeTopology');
  format(errors, 'storageClassName', object['storageClassName'], isDNS1123Subdomain);
  return errors;
}

export function validateStorageCapacityUpdate(
  object: UnstructuredObject,
  old: UnstructuredObject,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const key of ['nodeTopology', 'storageClassName']) immutable(errors, key, object[key], old[key]);
  return errors;
}
