import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Draft, KindBehaviour } from '../behaviour.ts';
import { child } from '../defaulting.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import { specOf, statusOf, stringsOf, textOf } from '../values.ts';
import { fieldError, isQualifiedName } from '@hypershift-ts/kube-apimachinery';

const ownName = 'kubernetes.io/metadata.name';

/** Every namespace can be selected by its own name. */
function labelWithName(namespace: Draft): void {
  const metadata = child(namespace, 'metadata');
  const { name, labels } = metadata;
  if (name && labels?.[ownName] !== name) metadata['labels'] = { ...labels, [ownName]: name };
}

/** The finalizer `kubernetes` in the spec keeps a namespace until everything inside it is gone. */
function prepareForCreate(namespace: Draft): void {
  labelWithName(namespace);
  namespace['status'] = { phase: 'Active' };
  const spec = child(namespace, 'spec');
  const finalizers = stringsOf(spec['finalizers']);
  if (!finalizers.includes('kubernetes')) spec['finalizers'] = [...finalizers, 'kubernetes'];
}

/** Finalizers in the spec change through the finalize subresource only. */
function prepareForUpdate(namespace: Draft, old: UnstructuredObject): void {
  const before = specOf(old)['finalizers'];
  const spec = child(namespace, 'spec');
  if (spec['finalizers'] === before) return;
  if (before === undefined) delete spec['finalizers'];
  else spec['finalizers'] = before;
}

export function validateNamespaceFinalize(namespace: UnstructuredObject): readonly FieldError[] {
  return stringsOf(specOf(namespace)['finalizers']).flatMap((finalizer, index) => {
    const field = `spec.finalizers[${index}]`;
    const errors = isQualifiedName(finalizer).map((message) => fieldError.invalid(field, finalizer, message));
    if (errors.length === 0 && !finalizer.includes('/') && finalizer !== 'kubernetes')
      errors.push(
        fieldError.invalid(field, finalizer, 'name is neither a standard finalizer name nor is it fully qualified'),
      );
    return errors;
  });
}

/** Active until a deletion was asked for, Terminating from then on. */
function validateStatus(namespace: UnstructuredObject): readonly FieldError[] {
  const phase = statusOf(namespace)['phase'];
  const deleted = namespace.metadata.deletionTimestamp !== undefined;
  if (!deleted && phase !== 'Active')
    return [fieldError.invalid('status.Phase', phase, "may only be 'Active' if `deletionTimestamp` is empty")];
  if (deleted && phase !== 'Terminating')
    return [fieldError.invalid('status.Phase', phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")];
  return [];
}

export const namespace: KindBehaviour = {
  defaults: labelWithName,
  prepareForCreate,
  prepareForUpdate,
  validate: validateNamespaceFinalize,
  status: { validate: validateStatus },
  nameRule: 'label',
  selectableFields: {
    'status.phase': (object) => textOf(statusOf(object)['phase']),
    name: nameOf,
  },
  unconditionalUpdate: true,
  columns: [nameColumn, text('Status', 'Active or Terminating.'), ageColumn],
  cells: (object, now) => [nameOf(object), textOf(statusOf(object)['phase']), ageOf(object, now)],
};
