import { type FieldError, fieldError, isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { ScalePaths } from '../../resource/resource.ts';
import type { Subresources } from '../definition/types.ts';

const maxReplicas = 2 ** 31 - 1;

export function scalePaths(subresources: Subresources | undefined): ScalePaths | undefined {
  const scale = subresources?.scale;
  if (!scale) return undefined;
  return {
    specReplicas: withoutDot(scale.specReplicasPath),
    statusReplicas: withoutDot(scale.statusReplicasPath),
    ...(scale.labelSelectorPath ? { selector: withoutDot(scale.labelSelectorPath) } : {}),
  };
}

const withoutDot = (path: string) => path.replace(/^\./, '');

/** Whether the numbers a scale subresource would show are replica counts. */
export function validateScale(
  object: unknown,
  scale: NonNullable<Subresources['scale']>,
  parts: { readonly spec: boolean },
): FieldError[] {
  const errors = parts.spec ? validateReplicas(object, scale.specReplicasPath) : [];
  errors.push(...validateReplicas(object, scale.statusReplicasPath));
  const selector = scale.labelSelectorPath;
  if (selector) {
    const found = lookUp(object, selector, 'string');
    if (found.error !== undefined) errors.push(fieldError.invalid(selector, '', found.error));
  }
  return errors;
}

function validateReplicas(object: unknown, path: string): FieldError[] {
  const { value, error } = lookUp(object, path, 'int64');
  if (error !== undefined) return [fieldError.invalid(path, 0, error)];
  if (typeof value !== 'number') return [];
  if (value < 0) return [fieldError.invalid(path, value, 'should be a non-negative integer')];
  if (value > maxReplicas) return [fieldError.invalid(path, value, `should be less than or equal to ${maxReplicas}`)];
  return [];
}

/** The value at a path; an error when something on the way, or the value itself, has the wrong type. */
function lookUp(object: unknown, path: string, wanted: 'int64' | 'string'): { value?: unknown; error?: string } {
  const names = withoutDot(path).split('.');
  const wrong = (found: unknown, expected: string) => ({
    error: `.${names.join('.')} accessor error: ${goText(found)} is of the type ${goType(found)}, expected ${expected}`,
  });
  let value = object;
  for (const name of names) {
    if (value === null || value === undefined) return {};
    if (!isJsonObject(value)) return wrong(value, 'map[string]interface{}');
    if (!Object.hasOwn(value, name)) return {};
    value = value[name];
  }
  return goType(value) === wanted ? { value } : wrong(value, wanted);
}

/** How Go's `%v` prints a JSON value. */
function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isJsonObject(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `map[${fields.map((name) => `${name}:${goText(value[name])}`).join(' ')}]`;
}

function goType(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return 'string';
}
