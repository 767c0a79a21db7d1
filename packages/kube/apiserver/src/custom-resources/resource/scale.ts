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
  if (scale.labelSelectorPath) {
    const found = lookUp(object, scale.labelSelectorPath);
    if (found !== undefined && typeof found !== 'string') {
      errors.push(
        fieldError.invalid(scale.labelSelectorPath, '', accessorError(scale.labelSelectorPath, found, 'string')),
      );
    }
  }
  return errors;
}

function validateReplicas(object: unknown, path: string): FieldError[] {
  const found = lookUp(object, path);
  if (found === undefined) return [];
  if (typeof found !== 'number' || !Number.isInteger(found)) {
    return [fieldError.invalid(path, 0, accessorError(path, found, 'int64'))];
  }
  if (found < 0) return [fieldError.invalid(path, found, 'should be a non-negative integer')];
  if (found > maxReplicas) return [fieldError.invalid(path, found, `should be less than or equal to ${maxReplicas}`)];
  return [];
}

function lookUp(object: unknown, path: string): unknown {
  let value = object;
  for (const name of withoutDot(path).split('.')) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function accessorError(path: string, found: unknown, wanted: string): string {
  const text = typeof found === 'string' ? found : JSON.stringify(found);
  return `.${withoutDot(path)} accessor error: ${text} is of the type ${goType(found)}, expected ${wanted}`;
}

function goType(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return 'string';
}
