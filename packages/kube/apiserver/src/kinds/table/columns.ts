import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Column } from '../behaviour.ts';
import { since } from '../human-duration.ts';

/** Builders of the column definitions that Table answers carry. */

export const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object, unique within its namespace.',
  priority: 0,
};

export const ageColumn: Column = {
  name: 'Age',
  type: 'string',
  description: 'Time since the object was created.',
  priority: 0,
};

export function text(name: string, description = ''): Column {
  return { name, type: 'string', description, priority: 0 };
}

export function integer(name: string, description = ''): Column {
  return { name, type: 'integer', description, priority: 0 };
}

export function flag(name: string, description = ''): Column {
  return { name, type: 'boolean', description, priority: 0 };
}

/** The same column, shown with `-o wide` only. */
export function wide(column: Column): Column {
  return { ...column, priority: 1 };
}

export const workloadWideColumns: readonly Column[] = [
  wide(text('Containers', 'Names of the containers in the template.')),
  wide(text('Images', 'Images of the containers in the template.')),
  wide(text('Selector', 'Label selector of the pods that belong to it.')),
];

export function nameOf(object: UnstructuredObject): string {
  return object.metadata.name ?? '';
}

export function ageOf(object: UnstructuredObject, now: number): string {
  return since(object.metadata.creationTimestamp, now);
}

/** What kinds without a printer of their own show. */
export const createdAtColumns: readonly Column[] = [
  nameColumn,
  { name: 'Created At', type: 'date', description: 'When the object was created.', priority: 0 },
];

export function createdAtCells(object: UnstructuredObject): readonly unknown[] {
  return [nameOf(object), object.metadata.creationTimestamp ?? null];
}

export const nameAgeColumns: readonly Column[] = [nameColumn, ageColumn];

export function nameAgeCells(object: UnstructuredObject, now: number): readonly unknown[] {
  return [nameOf(object), ageOf(object, now)];
}
