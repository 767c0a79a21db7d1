import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { deepFreeze, parseApiVersion } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { builtinBehaviours } from './index.ts';
import { now, scope } from './testing/objects.ts';

const vectors = resolve(import.meta.dirname, '../../../../../../shared/vectors/kubernetes');
const present = existsSync(join(vectors, 'golden-objects'));
if (!present) process.stderr.write(`golden objects not found at ${vectors}: those tests are skipped\n`);

interface Discovery {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly {
      readonly resources?: readonly { readonly resource: string; readonly responseKind?: { readonly kind: string } }[];
    }[];
  }[];
}

function resourcesByKind(): Map<string, string> {
  const discovery = JSON.parse(readFileSync(join(vectors, 'discovery-aggregated-v2.json'), 'utf8')) as Discovery;
  const found = new Map<string, string>();
  for (const group of discovery.items)
    for (const version of group.versions)
      for (const { resource, responseKind } of version.resources ?? [])
        if (responseKind) found.set(`${responseKind.kind}.${group.metadata.name ?? ''}`, resource);
  return found;
}

function goldenObjects(): [string, UnstructuredObject, string][] {
  const resources = resourcesByKind();
  const folder = join(vectors, 'golden-objects');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file): [string, UnstructuredObject, string][] => {
      const object = JSON.parse(readFileSync(join(folder, file), 'utf8')) as UnstructuredObject;
      if (typeof object.apiVersion !== 'string' || object.metadata === undefined) return [];
      const { group } = parseApiVersion(object.apiVersion);
      // The discovery document holds the named groups; the core group's plurals are regular, all but one.
      const plural = object.kind === 'Endpoints' ? 'endpoints' : `${object.kind.toLowerCase()}s`;
      const resource = group === '' ? plural : resources.get(`${object.kind}.${group}`);
      const key = group === '' || resource === undefined ? resource : `${resource}.${group}`;
      return key !== undefined && Object.hasOwn(builtinBehaviours, key) ? [[file, object, key]] : [];
    });
}

describe.skipIf(!present)('objects with every field filled', () => {
  const all = present ? goldenObjects() : [];

  it('When kinds are looked up, it should know most of the golden ones', () => {
    expect(new Set(all.map(([, , key]) => key)).size).toBeGreaterThan(45);
  });

  it.each(all)('When %s passes through, it should be judged and shown without a crash', (_file, golden, key) => {
    const behaviour = builtinBehaviours[key];
    const draft = structuredClone(golden);
    behaviour?.defaults?.(draft);
    const once = structuredClone(draft);
    behaviour?.defaults?.(draft);
    expect(draft).toEqual(once);
    behaviour?.prepareForCreate?.(draft, scope);
    const object = deepFreeze(draft);
    const old = deepFreeze(structuredClone(golden));
    expect(Array.isArray(behaviour?.validate?.(object) ?? [])).toBe(true);
    expect(Array.isArray(behaviour?.validateUpdate?.(object, old) ?? [])).toBe(true);
    expect(behaviour?.cells?.(old, now)).toHaveLength(behaviour?.columns?.length ?? 0);
    const next = structuredClone(golden);
    behaviour?.prepareForUpdate?.(next, old, scope);
    behaviour?.status?.prepare?.(next, old, scope);
    expect(next.kind).toBe(golden.kind);
  });
});
