import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../json.ts';
import { deepFreeze, jsonEqual } from '../json.ts';
import { applyMergePatch, createMergePatch } from '../patch/index.ts';
import type { ManagedFieldsEntry } from '../object.ts';
import { extract } from './extract.ts';
import {
  applyConfiguration,
  decodeFieldsV1,
  emptyFieldSet,
  fieldSetDifference,
  fieldSetUnion,
  showFieldPaths,
  trackUpdate,
} from './index.ts';
import type { ApplyOptions } from './index.ts';
import { aWorkload, workloadSchema } from './testing/schemas.ts';
import { objectTypeOf } from './value-type.ts';

type Stored = JsonObject & { metadata: { managedFields?: readonly ManagedFieldsEntry[] } };

function generator(start: number) {
  let seed = start;
  const random = (n: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * n);
  };
  const maybe = <T>(make: () => T): T | undefined => (random(2) === 0 ? make() : undefined);
  const some = (names: readonly string[]) => names.filter(() => random(2) === 0);
  const text = () => `v${random(3)}`;
  const map = () => Object.fromEntries(some(['a', 'b', 'constructor']).map((name) => [name, text()]));
  const container = (name: string) => ({
    name,
    image: maybe(text),
    args: maybe(() => [text(), text()]),
    env: maybe(() => some(['X', 'Y']).map((key) => ({ name: key, value: text() }))),
    ports: maybe(() => some(['80', '81']).map((port) => ({ containerPort: Number(port), name: maybe(text) }))),
    resources: maybe(() => ({ limits: maybe(() => ({ cpu: random(2) === 0 ? random(3) : text() })) })),
  });
  const spec = () => ({
    replicas: maybe(() => random(3)),
    paused: maybe(() => random(2) === 0),
    selector: maybe(() => ({ matchLabels: map() })),
    strategy: maybe(() => ({ type: maybe(text), maxSurge: maybe(() => random(3)) })),
    template: maybe(() => ({
      metadata: maybe(() => ({ labels: map() })),
      spec: { containers: some(['c1', 'c2', 'c3']).map(container), nodeSelector: maybe(map) },
    })),
    free: maybe(() => ({ x: maybe(map), y: maybe(() => [random(2)]), z: maybe(text) })),
    tags: maybe(() => some(['t1', 't2', 't3'])),
  });
  // A round trip drops what is undefined, as the wire does.
  const config = () => deepFreeze(JSON.parse(JSON.stringify(aWorkload(spec()))) as JsonObject);
  return { config };
}

const bare = { apiVersion: 'apps/v1', kind: 'Workload', metadata: { name: 'web', namespace: 'n' } };
const type = objectTypeOf(workloadSchema);

function apply(live: object | undefined, config: object, manager: string, options: Partial<ApplyOptions> = {}): Stored {
  const request = {
    live,
    config,
    schema: workloadSchema,
    manager,
    apiVersion: 'apps/v1',
    now: 0,
    force: true,
    ...options,
  };
  return deepFreeze(applyConfiguration(request).object) as Stored;
}

/** What an object holds, without empty containers, which ownership does not tell apart from missing ones. */
function content(value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = (value as JsonValue[]).map((item) => content(item));
    return items.length === 0 ? undefined : (items as JsonValue[]);
  }
  const members = Object.entries(value as JsonObject).map(([key, member]) => [key, content(member)] as const);
  const kept = members.filter(([, member]) => member !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

const cases = Array.from({ length: 150 }, (_, index) => index + 1);

describe('laws of server-side apply', () => {
  it('When a configuration is applied twice, the second should change nothing', () => {
    for (const seed of cases) {
      const { config } = generator(seed);
      const wanted = config();
      const live = apply(apply(undefined, config(), 'a'), wanted, 'b');
      const again = { live, config: wanted, schema: workloadSchema, manager: 'b', apiVersion: 'apps/v1', now: 9e6 };
      expect([seed, applyConfiguration(again).changed]).toEqual([seed, false]);
    }
  });

  it('When a sole applier withdraws, everything it applied should be gone', () => {
    for (const seed of cases) {
      const live = apply(undefined, generator(seed).config(), 'a');
      expect([seed, content(apply(live, bare, 'a')['spec'])]).toEqual([seed, undefined]);
    }
  });

  it('When one of two appliers withdraws, what the other applied should stand and nothing else', () => {
    for (const seed of cases) {
      const { config } = generator(seed);
      const [first, second] = [config(), config()];
      const both = apply(apply(undefined, first, 'a'), second, 'b');
      const rest = apply(both, bare, 'a');
      const missing = fieldSetDifference(extract(second, type), extract(rest, type));
      expect([seed, showFieldPaths(missing)]).toEqual([seed, []]);
      expect([seed, content(apply(rest, bare, 'b')['spec'])]).toEqual([seed, undefined]);
    }
  });

  it('When a configuration changes, the result should not depend on what was applied before', () => {
    for (const seed of cases) {
      const { config } = generator(seed);
      const [first, second] = [config(), config()];
      const sorted = (value: JsonValue | undefined) =>
        JSON.stringify([content(value)])
          .split('')
          .sort()
          .join('');
      const stepwise = apply(apply(undefined, first, 'a'), second, 'a');
      expect([seed, sorted(stepwise['spec'])]).toEqual([seed, sorted(apply(undefined, second, 'a')['spec'])]);
    }
  });

  it('When objects are written by updates, every field should have an owner', () => {
    for (const seed of cases) {
      const { config } = generator(seed);
      let live: Stored | undefined;
      for (const manager of ['a', 'b', 'a']) {
        // An object in which nobody owns anything would not be tracked at all.
        const updated: JsonObject = { ...config(), metadata: { name: 'web', labels: { app: 'web' } } };
        const managedFields = trackUpdate({
          live,
          updated,
          schema: workloadSchema,
          manager,
          apiVersion: 'apps/v1',
          now: 0,
        });
        live = deepFreeze({
          ...updated,
          metadata: { ...(updated['metadata'] as object), uid: 'u', managedFields },
        }) as Stored;
        let owned = emptyFieldSet;
        for (const entry of managedFields ?? []) owned = fieldSetUnion(owned, decodeFieldsV1(entry.fieldsV1 ?? {}));
        const orphans = showFieldPaths(fieldSetDifference(extract(updated, type), owned));
        expect([seed, orphans.filter((path) => path.startsWith('.spec.'))]).toEqual([seed, []]);
      }
    }
  });

  it('When versions differ but convert to the same, pruning should come out the same', () => {
    const convert = (object: object) => ({ object, schema: workloadSchema });
    for (const seed of cases) {
      const { config } = generator(seed);
      const [first, other, next] = [config(), config(), config()];
      const older = (object: JsonObject) => ({ ...object, apiVersion: 'apps/v0' });
      const before = apply(apply(undefined, older(first), 'a', { apiVersion: 'apps/v0' }), other, 'b');
      const across = apply(before, next, 'a', { convert });
      const direct = apply(before, next, 'a');
      expect([seed, content(across['spec'])]).toEqual([seed, content(direct['spec'])]);
    }
  });

  it('When a merge patch is made of two objects, it should lead from one to the other', () => {
    for (const seed of cases) {
      const { config } = generator(seed);
      const [from, to] = [config(), config()];
      expect([seed, jsonEqual(applyMergePatch(from, createMergePatch(from, to)), to)]).toEqual([seed, true]);
    }
  });
});
