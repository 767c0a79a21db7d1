import type { IgnitionConfig } from './ignition-config.ts';
import { IgnitionError } from './ignition-error.ts';
import type { Struct } from './schema.ts';
import { configStruct } from './schema.ts';
import type { Finding } from './shape.ts';
import { shape } from './shape.ts';

/**
 * The config as JSON of version 3.`minor`: known fields in the order of the specification, nothing empty, so that equal
 * configs are equal bytes. Fails when the config uses what that version does not know.
 */
export function writeIgnition(config: IgnitionConfig, minor: number): string {
  const newer = newerFields(config as unknown as Readonly<Record<string, unknown>>, configStruct, minor, '');
  if (newer.length > 0) throw new IgnitionError(`the config cannot be served as Ignition 3.${minor}.0`, newer);
  const versioned = { ...config, ignition: { ...config.ignition, version: `3.${minor}.0` } };
  const { value, errors } = shape(versioned as unknown as Readonly<Record<string, unknown>>, configStruct, minor);
  if (errors.length > 0) throw new IgnitionError('the config cannot be written', errors);
  return JSON.stringify(value);
}

function newerFields(value: Readonly<Record<string, unknown>>, of: Struct, minor: number, path: string): Finding[] {
  return Object.entries(value).flatMap(([name, child]) => {
    const field = of.fields.get(name);
    const at = path === '' ? name : `${path}.${name}`;
    if (!field) return [];
    if (field.since > minor) return [{ path: at, message: `${name} needs Ignition 3.${field.since}.0` }];
    if (field.kind === 'struct')
      return newerFields(child as Readonly<Record<string, unknown>>, field.struct, minor, at);
    const { kind } = field;
    if (kind !== 'list' || field.item === 'string') return [];
    const { item } = field;
    return (child as readonly Readonly<Record<string, unknown>>[]).flatMap((entry, i) =>
      newerFields(entry, item, minor, `${at}.${i}`),
    );
  });
}
