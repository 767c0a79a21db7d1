import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deepFreeze, isJsonObject, jsonEqual } from '../json.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import type { ManagedFieldsEntry } from '../object.ts';
import type { Schema } from '../schema-types.ts';
import { applyConfiguration } from './index.ts';
import type { FieldsV1 } from './index.ts';

const vectors = new URL('../../../../../../shared/vectors/kubernetes/', import.meta.url);
const present = existsSync(vectors);
if (!present) process.stderr.write('skipped: the golden Kubernetes objects are not on this machine\n');

type Golden = { apiVersion: string; kind: string; metadata?: JsonObject };
type RawSchema = { [key: string]: unknown };

function loadSchemas(): Map<string, Schema> {
  const raw = JSON.parse(readFileSync(new URL('openapi-v3-schemas.json', vectors), 'utf8')) as {
    [name: string]: RawSchema;
  };
  const resolved = new Map<string, RawSchema>();
  const named = (name: string): RawSchema => {
    const known = resolved.get(name);
    if (known) return known;
    const target: RawSchema = {};
    resolved.set(name, target);
    Object.assign(target, resolve(raw[name] ?? {}));
    // Bytes of somebody else's kind: owned as a whole, which its schema does not say.
    if (name.endsWith('.RawExtension')) target['x-kubernetes-map-type'] = 'atomic';
    return target;
  };
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref === 'string') return named($ref.slice($ref.lastIndexOf('/') + 1));
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]));
  };
  const byKind = new Map<string, Schema>();
  for (const name of Object.keys(raw)) {
    const kinds = raw[name]?.['x-kubernetes-group-version-kind'] as
      | { group: string; version: string; kind: string }[]
      | undefined;
    if (kinds?.length === 1) {
      const [{ group, version, kind }] = kinds as [{ group: string; version: string; kind: string }];
      byKind.set(`${group === '' ? version : `${group}/${version}`} ${kind}`, named(name));
    }
  }
  return byKind;
}

const unowned =
  /^(apiVersion|kind|metadata\.(name|namespace|creationTimestamp|selfLink|uid|generation|resourceVersion))$/;

function itemFields(item: JsonValue, fields: FieldsV1): FieldsV1 | undefined {
  for (const [key, below] of Object.entries(fields)) {
    const value = key === '.' ? undefined : (JSON.parse(key.slice(2)) as JsonValue);
    if (key.startsWith('v:') && jsonEqual(value, item)) return below;
    if (!key.startsWith('k:') || !isJsonObject(value) || !isJsonObject(item)) continue;
    if (Object.keys(value).every((name) => item[name] === undefined || jsonEqual(item[name], value[name])))
      return below;
  }
  return undefined;
}

/** The paths of a value that no ownership covers. */
function uncovered(value: JsonValue, fields: FieldsV1 | undefined, path: string): string[] {
  if (unowned.test(path)) return [];
  if (fields === undefined) return [path];
  if (Object.keys(fields).length === 0) return [];
  if (Array.isArray(value)) {
    return (value as JsonValue[]).flatMap((item, i) => uncovered(item, itemFields(item, fields), `${path}[${i}]`));
  }
  if (!isJsonObject(value)) return [path];
  return Object.keys(value).flatMap((name) =>
    uncovered(value[name] as JsonValue, fields[`f:${name}`], path === '' ? name : `${path}.${name}`),
  );
}

describe.skipIf(!present)('server-side apply of the golden objects', () => {
  const schemas = present ? loadSchemas() : new Map<string, Schema>();
  const files = present
    ? readdirSync(new URL('golden-objects/', vectors)).filter((name) => name.endsWith('.json'))
    : [];

  it('When every field is applied, it should own every field, and applying again should change nothing', () => {
    let applied = 0;
    for (const file of files) {
      const object = JSON.parse(readFileSync(new URL(`golden-objects/${file}`, vectors), 'utf8')) as Golden;
      const schema = schemas.get(`${object.apiVersion} ${object.kind}`);
      const { managedFields: _, ...metadata } = object.metadata ?? {};
      if (schema === undefined || metadata.name === undefined) continue;
      const config: JsonObject = deepFreeze({ ...object, metadata });
      const options = { config, schema, manager: file, apiVersion: object.apiVersion, now: 0 };
      const result = applyConfiguration({ ...options, live: undefined });
      const { managedFields, ...rest } = (result.object as Golden).metadata ?? {};
      const owned = (managedFields as readonly ManagedFieldsEntry[])[0]?.fieldsV1 as FieldsV1;
      expect([file, ...uncovered(config, owned, '')]).toEqual([file]);
      expect({ ...result.object, metadata: rest }).toEqual(config);
      const live = deepFreeze(result.object);
      expect(applyConfiguration({ ...options, live, now: 1e6 })).toEqual({ object: live, changed: false });
      const { apiVersion, kind } = object;
      const bare = applyConfiguration({ ...options, config: { apiVersion, kind }, live }).object;
      expect([file, ...Object.keys(bare).sort()]).toEqual([file, 'apiVersion', 'kind', 'metadata']);
      applied++;
    }
    expect(applied).toBeGreaterThan(100);
  });
});
