import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Column, Draft, KindBehaviour } from '../behaviour.ts';
import { child, items, setDefault } from '../defaulting.ts';
import {
  ageColumn,
  ageOf,
  createdAtCells,
  createdAtColumns,
  nameColumn,
  nameOf,
  text,
  wide,
} from '../table/columns.ts';
import { fieldsOf, listOf, textOf } from '../values.ts';
import { validateBinding, validateRole, validateRoleRefUnchanged } from './validation.ts';

const rbacGroup = 'rbac.authorization.k8s.io';

function defaultBinding(draft: Draft): void {
  setDefault(child(draft, 'roleRef'), 'apiGroup', rbacGroup);
  for (const subject of items(draft, 'subjects'))
    if (subject['kind'] === 'User' || subject['kind'] === 'Group') setDefault(subject, 'apiGroup', rbacGroup);
}

const bindingColumns: readonly Column[] = [
  nameColumn,
  text('Role', 'Role that is granted.'),
  ageColumn,
  wide(text('Users', 'Users it is granted to.')),
  wide(text('Groups', 'Groups it is granted to.')),
  wide(text('ServiceAccounts', 'Service accounts it is granted to.')),
];

function bindingCells(binding: UnstructuredObject, now: number): readonly unknown[] {
  const roleRef = fieldsOf(binding['roleRef']);
  const subjects = listOf(binding['subjects']);
  const names = (kind: string, show: (subject: Draft) => string) =>
    subjects
      .filter((subject) => subject['kind'] === kind)
      .map(show)
      .join(', ');
  return [
    nameOf(binding),
    `${textOf(roleRef['kind'])}/${textOf(roleRef['name'])}`,
    ageOf(binding, now),
    names('User', (subject) => textOf(subject['name'])),
    names('Group', (subject) => textOf(subject['name'])),
    names('ServiceAccount', (subject) =>
      textOf(subject['namespace']) === '' ? textOf(subject['name']) : `${subject['namespace']}/${subject['name']}`,
    ),
  ];
}

function role(clusterScoped: boolean): KindBehaviour {
  return {
    validate: (object) => validateRole(object, clusterScoped),
    nameRule: 'path',
    unconditionalUpdate: true,
    createOnUpdate: true,
    columns: createdAtColumns,
    cells: createdAtCells,
  };
}

function binding(clusterScoped: boolean): KindBehaviour {
  return {
    defaults: defaultBinding,
    validate: (object) => validateBinding(object, clusterScoped),
    validateUpdate: validateRoleRefUnchanged,
    nameRule: 'path',
    unconditionalUpdate: true,
    createOnUpdate: true,
    columns: bindingColumns,
    cells: bindingCells,
  };
}

export const rbacKinds: Readonly<Record<string, KindBehaviour>> = {
  [`clusterrolebindings.${rbacGroup}`]: binding(true),
  [`clusterroles.${rbacGroup}`]: role(true),
  [`rolebindings.${rbacGroup}`]: binding(false),
  [`roles.${rbacGroup}`]: role(false),
};
