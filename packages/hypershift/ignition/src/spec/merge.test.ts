import { describe, expect, it } from 'vitest';
import { aRandom } from '../testing/random.ts';
import type { IgnitionConfig } from './ignition-config.ts';
import { mergeIgnition } from './merge.ts';
import { parseIgnition } from './parse.ts';
import { writeIgnition } from './write.ts';

const random = aRandom(11);
const some = <T>(limit: number, make: () => T, keyOf: (value: T) => string): T[] => [
  ...new Map(
    Array.from({ length: random.below(limit) }, () => {
      const value = make();
      return [keyOf(value), value] as const;
    }),
  ).values(),
];
const maybe = <T extends object>(value: T): T | object => (random.below(2) === 0 ? value : {});

function aConfig(): IgnitionConfig {
  const path = () => random.pick(['/a', '/b', '/c/d', '/e']);
  const source = () => ({ contents: { source: random.pick(['data:,x', 'data:,y']) } });
  const files = some(
    4,
    () => ({ path: path(), ...maybe(source()), ...maybe({ mode: random.pick([420, 384]) }) }),
    (file) => file.path,
  );
  // Paths of their own: a directory in between makes a file forget what it was before, so order would matter.
  const directories = some(
    3,
    () => ({ path: random.pick(['/x', '/y']), ...maybe({ mode: 493 }) }),
    (node) => node.path,
  );
  const dropin = () => ({ name: random.pick(['1.conf', '2.conf']), contents: `[Service]\nA=${random.below(3)}\n` });
  const units = some(
    3,
    () => ({
      name: random.pick(['a.service', 'b.timer']),
      ...maybe({ enabled: random.below(2) === 0 }),
      dropins: some(3, dropin, (one) => one.name),
    }),
    (unit) => unit.name,
  );
  const keys = () => some(4, () => random.pick(['k1', 'k2', 'k3']), String);
  const users = some(
    3,
    () => ({ name: random.pick(['core', 'bob']), sshAuthorizedKeys: keys() }),
    (user) => user.name,
  );
  return parseIgnition({
    ignition: { version: '3.5.0' },
    storage: { files, directories },
    systemd: { units },
    passwd: { users },
    kernelArguments: { shouldExist: keys() },
  }).config;
}

const text = (config: IgnitionConfig) => writeIgnition(config, 5);

describe('mergeIgnition', () => {
  it('When a config is merged with itself or with nothing, it should stay as it is', () => {
    const nothing: IgnitionConfig = { ignition: { version: '3.5.0' } };
    for (let i = 0; i < 300; i++) {
      const config = aConfig();
      for (const merged of [
        mergeIgnition(config, config),
        mergeIgnition(nothing, config),
        mergeIgnition(config, nothing),
      ])
        expect(text(merged)).toBe(text(config));
    }
  });

  it('When three configs are merged, it should not matter which two are merged first', () => {
    for (let i = 0; i < 300; i++) {
      const [a, b, c] = [aConfig(), aConfig(), aConfig()];
      // Order within a list may differ: an entry keeps the place of the first config that had it.
      expect(sorted(mergeIgnition(mergeIgnition(a, b), c))).toEqual(sorted(mergeIgnition(a, mergeIgnition(b, c))));
    }
  });

  it('When a directory takes the path of a file, the file should go', () => {
    const merged = mergeIgnition(
      { ignition: { version: '3.5.0' }, storage: { files: [{ path: '/a' }, { path: '/b' }] } },
      { ignition: { version: '3.5.0' }, storage: { directories: [{ path: '/a' }] } },
    );
    expect(merged.storage).toEqual({ files: [{ path: '/b' }], directories: [{ path: '/a' }] });
  });

  it('When a header of the child has no value, it should remove the header', () => {
    const remote = (headers: { name: string; value?: string }[]): IgnitionConfig => ({
      ignition: { version: '3.5.0', config: { merge: [{ source: 'https://x', httpHeaders: headers }] } },
    });
    const merged = mergeIgnition(
      remote([
        { name: 'A', value: '1' },
        { name: 'B', value: '2' },
      ]),
      remote([{ name: 'A' }]),
    );
    expect(merged.ignition.config?.merge?.[0]?.httpHeaders).toEqual([{ name: 'B', value: '2' }]);
  });
});

/** The same content with every list in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, sorted(member)]));
}
