import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError, parseApiVersion } from '@hypershift-ts/kube-apimachinery';
import type { KindBehaviour } from '../behaviour.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import { immutable, notNegative } from '../rules/checks.ts';
import { isSet, numberOf } from '../values.ts';

/** `daemonset.apps/web` */
function controllerName(object: UnstructuredObject): string {
  const owner = object.metadata.ownerReferences?.find((reference) => reference.controller === true);
  if (!owner) return '<none>';
  const { group } = parseApiVersion(owner.apiVersion);
  return `${(group === '' ? owner.kind : `${owner.kind}.${group}`).toLowerCase()}/${owner.name}`;
}

export const controllerRevision: KindBehaviour = {
  validate: (object) => {
    const errors: FieldError[] = [];
    if (!isSet(object['data'])) errors.push(fieldError.required('data', 'data is mandatory'));
    notNegative(errors, 'revision', object['revision']);
    return errors;
  },
  validateUpdate: (object, old) => {
    const errors: FieldError[] = [];
    immutable(errors, 'data', object['data'], old['data']);
    return errors;
  },
  unconditionalUpdate: true,
  columns: [
    nameColumn,
    text('Controller', 'Controller it belongs to.'),
    text('Revision', 'Number of the revision.'),
    ageColumn,
  ],
  cells: (object, now) => [nameOf(object), controllerName(object), numberOf(object['revision']), ageOf(object, now)],
};
