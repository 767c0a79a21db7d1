import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { decodeProtobuf, parseApiVersion, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { createMemoryStore, type Entry } from '@hypershift-ts/kube-store';
import { describe, expect, it } from 'vitest';
import { builtinCatalogue } from '../resource/builtin.ts';
import { decodeStored, encodeStored } from './codec.ts';

const folder = fileURLToPath(new URL('../../../../../../shared/vectors/kubernetes/golden-objects/', import.meta.url));
const present = existsSync(folder);
if (!present) process.stderr.write('SKIPPED: no golden objects at ../shared/vectors/kubernetes\n');

const resources = [...builtinCatalogue().values()];
const golden = (present ? readdirSync(folder) : [])
  .filter((name) => name.endsWith('.json'))
  .map((name) => ({
    name: name.slice(0, -5),
    object: JSON.parse(readFileSync(folder + name, 'utf8')) as UnstructuredObject,
  }))
  .flatMap(({ name, object }) => {
    const { group, version } = parseApiVersion(object.apiVersion ?? '');
    const resource = resources.find(
      (one) => one.group === group && one.version === version && one.kind === object.kind,
    );
    return resource ? [{ name, object, resource }] : [];
  });

describe.skipIf(!present)('golden objects', () => {
  it('When the upstream objects are matched with what is served, it should find most kinds', () => {
    expect(golden.length).toBeGreaterThan(60);
  });

  it.each(golden)(
    'When $name arrives as protobuf, it should be stored and read back unchanged',
    async ({ name, object, resource }) => {
      const decoded = decodeProtobuf(readFileSync(`${folder}${name}.pb`)) as unknown as UnstructuredObject;
      expect(decoded).toEqual(object);
      // Quantities and other fields are canonical already, so reading the body as its kind must change nothing.
      const unknown = resource.logic.normalise(decoded as never);
      expect(unknown).toEqual([]);
      expect(decoded).toEqual(object);

      const store = createMemoryStore();
      const result = await store.commit({ op: 'put', key: '/golden', value: encodeStored(decoded), expect: 0 });
      const { resourceVersion } = decodeStored((result as { entry?: Entry }).entry!).metadata;
      const { entry } = await store.get('/golden');
      expect(decodeStored(entry!)).toEqual({ ...object, metadata: { ...object.metadata, resourceVersion } });
      await store.close();
    },
  );
});
