import { type FieldError, fieldError, type Schema } from '@hypershift-ts/kube-apimachinery';
import { resolveFieldPath } from './field-path.ts';
import type { DefinitionVersion, PrinterColumn, Subresources } from './types.ts';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const maxSelectableFields = 8;

export function validateDeprecation(version: DefinitionVersion, at: string): FieldError[] {
  const { deprecationWarning: warning } = version;
  if (warning === undefined) return [];
  const place = `${at}.deprecationWarning`;
  if (!version.deprecated) return [fieldError.invalid(place, warning, 'can only be set for deprecated versions')];
  const errors: FieldError[] = [];
  if (Buffer.byteLength(warning) > 256)
    errors.push(fieldError.invalid(place, warning, 'must be <= 256 characters long'));
  if (warning === '') errors.push(fieldError.invalid(place, warning, 'must not be an empty string'));
  const odd = warning.search(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u);
  if (odd >= 0) {
    const detail = `must only contain printable UTF-8 characters; non-printable character found at index ${odd}`;
    errors.push(fieldError.invalid(place, warning, detail));
  }
  return errors;
}

export function validateColumn(column: PrinterColumn, at: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!column.name) errors.push(fieldError.required(`${at}.name`));
  const types = `must be one of ${columnTypes.join(',')}`;
  if (!column.type) errors.push(fieldError.required(`${at}.type`, types));
  else if (!columnTypes.includes(column.type)) errors.push(fieldError.invalid(`${at}.type`, column.type, types));
  if (column.format && !columnFormats.includes(column.format)) {
    errors.push(fieldError.invalid(`${at}.format`, column.format, `must be one of ${columnFormats.join(',')}`));
  }
  if (!column.jsonPath) errors.push(fieldError.required(`${at}.JSONPath`));
  else errors.push(...validateSimplePath(column.jsonPath, `${at}.JSONPath`));
  return errors;
}

function validateSimplePath(path: string, at: string): FieldError[] {
  return path.startsWith('.') ? [] : [fieldError.invalid(at, path, 'must be a simple json path starting with .')];
}

export function validateSubresources(subresources: Subresources | undefined, at: string): FieldError[] {
  const scale = subresources?.scale;
  if (!scale) return [];
  const check = (
    name: 'specReplicasPath' | 'statusReplicasPath' | 'labelSelectorPath',
    roots: string[],
    where: string,
  ) => {
    const path = scale[name];
    const place = `${at}.scale.${name}`;
    if (!path) return name === 'labelSelectorPath' ? [] : [fieldError.required(place)];
    const malformed = validateSimplePath(path, place);
    if (malformed.length > 0) return malformed;
    if (roots.some((root) => path.startsWith(root))) return [];
    return [fieldError.invalid(place, path, `should be a json path under ${where}`)];
  };
  return [
    ...check('specReplicasPath', ['.spec.'], '.spec'),
    ...check('statusReplicasPath', ['.status.'], '.status'),
    ...check('labelSelectorPath', ['.spec.', '.status.'], 'either .spec or .status'),
  ];
}

export function validateSelectableFields(
  fields: DefinitionVersion['selectableFields'],
  schema: Schema | undefined,
  at: string,
): FieldError[] {
  if (!fields || fields.length === 0) return [];
  if (!schema) {
    const detail = at.startsWith('spec.versions')
      ? 'may only be set when `version.schema.openAPIV3Schema` is not included'
      : 'may only be set when validations.schema is included';
    return [fieldError.invalid(at, '', detail)];
  }
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  fields.forEach(({ jsonPath }, index) => {
    const place = `${at}[${index}].jsonPath`;
    if (!jsonPath) {
      errors.push(fieldError.required(place));
      return;
    }
    const resolved = resolveFieldPath(jsonPath, schema, { brackets: false });
    if (resolved.error !== undefined) {
      errors.push(fieldError.invalid(place, jsonPath, `is an invalid path: ${resolved.error}`));
      return;
    }
    if (resolved.root === 'metadata') {
      errors.push(fieldError.invalid(place, jsonPath, 'must not point to fields in metadata'));
    }
    if (!['string', 'boolean', 'integer'].includes(resolved.schema.type ?? '')) {
      const detail =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      errors.push(fieldError.invalid(place, jsonPath, detail));
    }
    if (seen.has(resolved.path)) errors.push(fieldError.duplicate(place, jsonPath));
    seen.add(resolved.path);
  });
  if (seen.size > maxSelectableFields) errors.push(fieldError.tooMany(at, seen.size, maxSelectableFields));
  return errors;
}
