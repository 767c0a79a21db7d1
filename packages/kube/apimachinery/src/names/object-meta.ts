import type { FieldError } from '../field-error.ts';
import { fieldError } from '../field-error.ts';
import { jsonEqual } from '../json.ts';
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from '../object.ts';
import { byteLength, isQualifiedName } from './formats.ts';
import { validateAnnotations, validateLabels } from './label-validation.ts';
import type { NameRule } from './object-names.ts';
import { nameIsDNSLabel } from './object-names.ts';

/** Finalizers with a meaning to the garbage collector. */
export const orphanFinalizer = 'orphan';
export const foregroundFinalizer = 'foregroundDeletion';

const notNegative = 'must be greater than or equal to 0';

function validateOwnerReference(reference: Partial<OwnerReference>, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const { apiVersion = '', kind = '', name = '', uid = '' } = reference;
  const parts = apiVersion.split('/');
  if (apiVersion === '') errors.push(fieldError.required(`${field}.apiVersion`, 'must not be empty'));
  else if (parts.length > 2 || parts.at(-1) === '') {
    errors.push(fieldError.invalid(`${field}.apiVersion`, apiVersion, 'must be <group>/<version> or <version>'));
  }
  if (kind === '') errors.push(fieldError.required(`${field}.kind`, 'must not be empty'));
  if (name === '') errors.push(fieldError.required(`${field}.name`, 'must not be empty'));
  if (uid === '') errors.push(fieldError.required(`${field}.uid`, 'must not be empty'));
  // Events come and go by the thousand; nothing may depend on one for its life.
  if (apiVersion === 'v1' && kind === 'Event') {
    errors.push(fieldError.invalid(field, reference, '/v1, Kind=Event is disallowed from being an owner'));
  }
  return errors;
}

export function validateOwnerReferences(references: readonly OwnerReference[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  let controller = '';
  references.forEach((reference, index) => {
    errors.push(...validateOwnerReference(reference, `${field}[${index}]`));
    if (reference.controller !== true) return;
    const current = `${reference.kind}/${reference.name}`;
    if (controller === '') controller = current;
    else {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${current}`;
      errors.push(fieldError.invalid(field, references, detail));
    }
  });
  return errors;
}

export function validateFinalizers(finalizers: readonly string[], field: string): FieldError[] {
  const errors = finalizers.flatMap((name) =>
    isQualifiedName(name).map((message) => fieldError.invalid(field, name, message)),
  );
  if (finalizers.includes(orphanFinalizer) && finalizers.includes(foregroundFinalizer)) {
    const detail = `finalizer ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`;
    errors.push(fieldError.invalid(field, finalizers, detail));
  }
  return errors;
}

const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** The `fieldManager` of a request or of a managedFields entry. */
export function validateFieldManager(manager: string, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (byteLength(manager) > 128) errors.push(fieldError.tooLong(field, 128));
  if (!unprintable.test(manager)) return errors;
  let position = 0;
  for (const char of manager) {
    if (unprintable.test(char)) {
      const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(fieldError.invalid(field, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += byteLength(char);
  }
  return errors;
}

export function validateManagedFields(entries: readonly ManagedFieldsEntry[], field: string): FieldError[] {
  return entries.flatMap((entry, index) => {
    const errors: FieldError[] = [];
    // Frozen entries are those the server itself wrote.
    if (Object.isFrozen(entry)) return errors;
    const path = `${field}[${index}]`;
    const operation: string = entry.operation ?? '';
    if (operation === '') errors.push(fieldError.required(`${path}.operation`, 'must not be empty'));
    else if (operation !== 'Apply' && operation !== 'Update') {
      errors.push(fieldError.notSupported(`${path}.operation`, operation, ['Apply', 'Update']));
    }
    const type: string = entry.fieldsType ?? '';
    if (type !== '' && type !== 'FieldsV1') {
      errors.push(fieldError.invalid(`${path}.fieldsType`, type, 'must be `FieldsV1`'));
    }
    errors.push(...validateFieldManager(entry.manager ?? '', `${path}.manager`));
    if (byteLength(entry.subresource ?? '') > 256) errors.push(fieldError.tooLong(`${path}.subresource`, 256));
    return errors;
  });
}

function validateNamespace(meta: ObjectMeta, namespaced: boolean, field: string): FieldError[] {
  const namespace = meta.namespace ?? '';
  if (!namespaced) return namespace === '' ? [] : [fieldError.forbidden(field, 'not allowed on this type')];
  if (namespace === '') return [fieldError.required(field)];
  return nameIsDNSLabel(namespace, false).map((message) => fieldError.invalid(field, namespace, message));
}

/** What a kind says about its metadata. */
export interface MetaRules {
  readonly namespaced: boolean;
  readonly name: NameRule;
}

/** Checks metadata on creation, after a generateName has been turned into a name. */
export function validateObjectMeta(meta: ObjectMeta, rules: MetaRules, field = 'metadata'): FieldError[] {
  const errors: FieldError[] = [];
  const { name = '', generateName = '', generation = 0 } = meta;
  if (generateName !== '') {
    for (const message of rules.name(generateName, true)) {
      errors.push(fieldError.invalid(`${field}.generateName`, generateName, message));
    }
  }
  if (name === '') errors.push(fieldError.required(`${field}.name`, 'name or generateName is required'));
  else for (const message of rules.name(name, false)) errors.push(fieldError.invalid(`${field}.name`, name, message));
  errors.push(...validateNamespace(meta, rules.namespaced, `${field}.namespace`));
  if (generation < 0) errors.push(fieldError.invalid(`${field}.generation`, generation, notNegative));
  errors.push(...validateLabels(meta.labels, `${field}.labels`));
  errors.push(...validateAnnotations(meta.annotations, `${field}.annotations`));
  errors.push(...validateOwnerReferences(meta.ownerReferences ?? [], `${field}.ownerReferences`));
  errors.push(...validateFinalizers(meta.finalizers ?? [], `${field}.finalizers`));
  errors.push(...validateManagedFields(meta.managedFields ?? [], `${field}.managedFields`));
  return errors;
}

const immutableFields = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

const emptyText: ReadonlySet<string> = new Set(['name', 'namespace', 'uid']);

function validateNoNewFinalizers(next: readonly string[], previous: readonly string[], field: string): FieldError[] {
  const added = [...new Set(next)].filter((name) => !previous.includes(name)).sort();
  if (added.length === 0) return [];
  const shown = `[]string{${added.map((name) => JSON.stringify(name)).join(', ')}}`;
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`;
  return [fieldError.forbidden(field, detail)];
}

/** Checks metadata on update against the stored metadata. */
export function validateObjectMetaUpdate(next: ObjectMeta, previous: ObjectMeta, field = 'metadata'): FieldError[] {
  const errors: FieldError[] = [];
  if (previous.deletionTimestamp !== undefined) {
    errors.push(...validateNoNewFinalizers(next.finalizers ?? [], previous.finalizers ?? [], `${field}.finalizers`));
  }
  const { resourceVersion = '', generation = 0 } = next;
  if (resourceVersion === '') {
    errors.push(fieldError.invalid(`${field}.resourceVersion`, resourceVersion, 'must be specified for an update'));
  }
  if (generation < 0) errors.push(fieldError.invalid(`${field}.generation`, generation, notNegative));
  if (generation < (previous.generation ?? 0)) {
    errors.push(fieldError.invalid(`${field}.generation`, generation, 'must not be decremented'));
  }
  for (const name of immutableFields) {
    const empty = emptyText.has(name) ? '' : undefined;
    const value = next[name] ?? empty;
    if (value !== (previous[name] ?? empty)) {
      errors.push(fieldError.invalid(`${field}.${name}`, value, 'field is immutable'));
    }
  }
  // Parts that did not change were valid when they were stored.
  if (!jsonEqual(next.labels, previous.labels)) errors.push(...validateLabels(next.labels, `${field}.labels`));
  if (!jsonEqual(next.annotations, previous.annotations)) {
    errors.push(...validateAnnotations(next.annotations, `${field}.annotations`));
  }
  if (!jsonEqual(next.ownerReferences, previous.ownerReferences)) {
    errors.push(...validateOwnerReferences(next.ownerReferences ?? [], `${field}.ownerReferences`));
  }
  if (next.managedFields !== previous.managedFields) {
    errors.push(...validateManagedFields(next.managedFields ?? [], `${field}.managedFields`));
  }
  return errors;
}
