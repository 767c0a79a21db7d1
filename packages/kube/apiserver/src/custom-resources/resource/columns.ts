import {
  compileJsonPath,
  type JsonPath,
  jsonPathText,
  type UnstructuredObject,
} from '@hypershift-ts/kube-apimachinery';
import type { Column } from '../../kinds/behaviour.ts';
import { since } from '../../kinds/human-duration.ts';
import type { PrinterColumn } from '../definition/types.ts';

export interface CustomColumns {
  readonly columns: readonly Column[];
  readonly cells: (object: UnstructuredObject, now: number) => readonly unknown[];
}

const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object.',
  priority: 0,
};

const ageColumn: PrinterColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: 'Time since the object was created.',
};

/** The table of a custom resource: the name and its additionalPrinterColumns, or its age when there are none. */
export function customColumns(printerColumns: readonly PrinterColumn[] | undefined): CustomColumns {
  const printed = (printerColumns?.length ? printerColumns : [ageColumn]).map((column) => ({
    column,
    path: pathOf(column),
  }));
  return {
    columns: [nameColumn, ...printed.map(({ column }) => columnOf(column))],
    cells: (object, now) => [
      object.metadata.name ?? '',
      ...printed.map(({ column, path }) => cell(column.type, path?.find(object)[0], now)),
    ],
  };
}

function columnOf({ name, type, format, description, jsonPath, priority }: PrinterColumn): Column {
  return {
    name,
    type,
    ...(format ? { format } : {}),
    description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority: priority ?? 0,
  };
}

/** A path that does not parse was never refused at creation; its column stays empty. */
function pathOf(column: PrinterColumn): JsonPath | undefined {
  try {
    return compileJsonPath(column.jsonPath);
  } catch {
    return undefined;
  }
}

function cell(type: PrinterColumn['type'], value: unknown, now: number): unknown {
  if (value === undefined || value === null) return null;
  switch (type) {
    case 'string':
      return jsonPathText(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      if (typeof value !== 'string') return null;
      return value !== '' && Number.isNaN(Date.parse(value)) ? '<invalid>' : since(value, now);
    default:
      return null;
  }
}
