import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import { parseAllDocuments } from 'yaml';
import { describe, expect, it } from 'vitest';
import { inOrder, planCluster, platformBuilders } from '../../packages/hypershift/cli/src/create-cluster/index.ts';
import { cases, files } from './upstream-cases.ts';

/** A checkout of the upstream repository, for comparison; nothing of it is kept here. */
const upstream = process.env['HYPERSHIFT_UPSTREAM'] ?? '';
if (!upstream) process.stderr.write('SKIPPED: HYPERSHIFT_UPSTREAM names no checkout with cmd/cluster/*/testdata\n');

/** What Go writes for fields nobody set, and what is random. */
const goZeroFields = new Set(['status', 'multiArch']);
const randomOrFake = new Set(['.dockerconfigjson', 'key', 'clouds.yaml']);

function tidy(value: unknown, except: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => tidy(item, except));
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value)
    .filter(([name]) => !goZeroFields.has(name) && !randomOrFake.has(name) && !except.includes(name))
    .map(([name, field]) => [name, name === 'release' ? 'any' : tidy(field, except)] as const)
    .filter(([, field]) => field !== '' && field !== null && !(isJsonObject(field) && Object.keys(field).length === 0));
  return Object.fromEntries(kept);
}

function fixture(platform: string, name: string): unknown[] {
  const folder = join(upstream, 'cmd/cluster', platform, 'testdata');
  const file = readdirSync(folder).find((one) => one.includes(name.replaceAll(/[^A-Za-z0-9]+/g, '_')));
  if (!file) throw new Error(`no fixture of ${platform} is called ${name}`);
  return parseAllDocuments(readFileSync(join(folder, file), 'utf8'))
    .map((document) => document.toJS() as unknown)
    .filter((document) => document !== null);
}

const isPull = (object: KubeObject) => object.kind === 'Secret';

describe.skipIf(!existsSync(join(upstream, 'cmd/cluster')))('create cluster --render', () => {
  it.each(cases.map((one) => [one.platform, one.name, one] as const))(
    'When %s is rendered with flags of "%s", it should be the tree upstream renders',
    async (platform, name, one) => {
      const expected = fixture(platform, name);
      const infraId = expected
        .filter(isJsonObject)
        .map(({ spec }) => (isJsonObject(spec) ? spec['infraID'] : undefined))
        .find((id) => typeof id === 'string');
      const builder = platformBuilders.find(({ command }) => command === platform);
      if (!builder) throw new Error(`no platform ${platform}`);
      const objects = await planCluster({
        platform: builder,
        flags: {
          infraId: infraId as string,
          releaseImage: 'any/image:1',
          pullSecret: 'pull-secret.json',
          ...one.flags,
        },
        readFile: (path) => Promise.resolve(files[path] ?? ''),
      });
      const ours = inOrder(
        objects,
        expected.some((object) => isPull(object as KubeObject)),
      );
      const tidied = (object: unknown) => tidy(object, one.except ?? []);
      expect(ours.map(tidied)).toEqual(expected.map(tidied));
    },
  );
});
