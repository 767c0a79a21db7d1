import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  applyJsonPatch,
  isNotFound,
  jsonClone,
  jsonEqual,
  type ResourceType,
  type UnstructuredObject,
} from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';
import { vectors } from '../harness/vectors.ts';

interface Suite {
  readonly file: string;
  readonly name: string;
  readonly version?: string;
  readonly variants: readonly string[];
}

interface Case {
  readonly name: string;
  readonly initial: string;
  readonly updated?: string;
  readonly expected?: string;
  readonly expectedError?: string;
  readonly expectedStatusError?: string;
  readonly initialCRDPatches?: readonly object[];
}

interface Crd extends UnstructuredObject {
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly versions: readonly { readonly name: string }[];
  };
}

type Manifest = Record<string, unknown> & { status?: unknown };

const crds: ResourceType<Crd> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  resource: 'customresourcedefinitions',
  namespaced: false,
};

/** Only the version under test is kept, served and stored. */
function withVersionOnly(crd: Crd, version: string | undefined): Crd {
  const versions = crd.spec.versions
    .filter(({ name }) => version === undefined || name === version)
    .map((one) => ({ ...one, served: true, storage: true }));
  return { ...crd, spec: { ...crd.spec, versions } };
}

function typeOf(crd: Crd): ResourceType {
  const { group, names, versions, scope } = crd.spec;
  return {
    group,
    version: versions[0]!.name,
    kind: names.kind,
    resource: names.plural,
    namespaced: scope === 'Namespaced',
  };
}

async function established(client: Client, name: string): Promise<Crd> {
  for (;;) {
    const crd = await client.get(crds, { name });
    const conditions =
      (crd['status'] as { conditions?: { type: string; status: string }[] } | undefined)?.conditions ?? [];
    if (conditions.some(({ type, status }) => type === 'Established' && status === 'True')) return crd;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function gone(client: Client, name: string): Promise<void> {
  await client.delete(crds, { name });
  for (;;) {
    try {
      await client.get(crds, { name });
    } catch (error) {
      if (isNotFound(error)) return;
      throw error;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function replaceSpec(client: Client, name: string, spec: unknown): Promise<void> {
  const live = await client.get(crds, { name });
  await client.update(crds, { ...live, spec } as Crd);
}

const metadata = { name: '', generateName: 'test-', namespace: 'default' };

async function failureOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

function judge(failure: string, expected: string | undefined): string {
  if (!expected) return failure === '' ? '' : `unexpected failure: ${failure}`;
  if (failure === '') return `accepted, although it should fail with: ${expected}`;
  return failure.includes(expected) ? '' : `failed with ${failure}\n    instead of ${expected}`;
}

function document(text: string): Manifest {
  return parse(text, { uniqueKeys: false }) as Manifest;
}

async function runCreate(client: Client, type: ResourceType, test: Case): Promise<string> {
  const failure = await failureOf(() =>
    client.create(type, { ...document(test.initial), metadata } as UnstructuredObject),
  );
  return judge(failure, test.expectedError);
}

async function runUpdate(client: Client, type: ResourceType, crd: Crd, test: Case): Promise<string> {
  const name = crd.metadata.name!;
  if (test.initialCRDPatches)
    await replaceSpec(client, name, applyJsonPatch(jsonClone(crd), test.initialCRDPatches).spec);
  const initial = document(test.initial);
  let live = await client.create(type, { ...initial, metadata } as UnstructuredObject);
  if (initial.status) live = await client.update(type, { ...live, status: initial.status }, { subresource: 'status' });
  if (test.initialCRDPatches) {
    await replaceSpec(client, name, crd.spec);
    // An unchanged invalid object must be updatable under the stricter schema.
    live = await client.update(type, live);
  }
  const key = { name: live.metadata.name!, ...(type.namespaced ? { namespace: 'default' } : {}) };
  live = await client.get(type, key);
  const updated = document(test.updated ?? '');
  const next = {
    ...updated,
    metadata: { ...key, generateName: 'test-', resourceVersion: live.metadata.resourceVersion },
  };
  let written: UnstructuredObject | undefined;
  const failure = await failureOf(async () => {
    written = await client.update(type, next as UnstructuredObject);
  });
  if (failure !== '' || test.expectedError) return judge(failure, test.expectedError);
  if (updated.status) {
    const statusFailure = await failureOf(() =>
      client.update(type, { ...written!, status: updated.status }, { subresource: 'status' }),
    );
    if (statusFailure !== '' || test.expectedStatusError) return judge(statusFailure, test.expectedStatusError);
  }
  return test.expected ? compare(await client.get(type, key), document(test.expected)) : '';
}

function compare(stored: UnstructuredObject, wanted: Manifest): string {
  for (const part of ['spec', 'status'])
    if (wanted[part] && !jsonEqual(stored[part], wanted[part]))
      return `${part} is ${JSON.stringify(stored[part])}\n    instead of ${JSON.stringify(wanted[part])}`;
  return '';
}

const present = vectors.has('crd-testsuites/index.json');
const suites = present ? vectors.json<Suite[]>('crd-testsuites/index.json') : [];

const generated = fileURLToPath(new URL('../../deploy/', import.meta.url));

/** The same suites against upstream's CRDs and against the ones generated from our schemas. */
const sources = [
  { crds: 'upstream CRDs', load: (variant: string) => vectors.json<Crd>(variant) },
  {
    crds: 'our CRDs',
    load: (variant: string) => {
      const path = variant.replace(/^crd-schemas/, 'crds').replace(/json$/, 'yaml');
      return parse(readFileSync(generated + path, 'utf8')) as Crd;
    },
  },
];

describe.skipIf(!present).each(sources)('upstream suites with $crds over HTTPS', ({ load }) => {
  let test: TestCluster;
  let executions = 0;

  beforeAll(async () => {
    test = await startTestCluster();
  });
  afterAll(() => test.stop());

  for (const suite of suites)
    it(`When ${suite.name} runs on its ${suite.variants.length} variants, it should answer as Kubernetes does`, async () => {
      const { client } = test;
      const { tests } = parse(vectors.text(suite.file), { uniqueKeys: false }) as {
        tests: { onCreate?: Case[]; onUpdate?: Case[] };
      };
      const problems: string[] = [];
      for (const variant of suite.variants) {
        const crd = withVersionOnly(load(variant), suite.version);
        const type = typeOf(crd);
        await client.create(crds, crd);
        await established(client, crd.metadata.name!);
        const note = (name: string, problem: string): void => {
          executions++;
          if (problem !== '') problems.push(`${variant}: ${name}: ${problem}`);
        };
        for (const one of tests.onCreate ?? []) note(one.name, await runCreate(client, type, one));
        for (const one of tests.onUpdate ?? []) note(one.name, await runUpdate(client, type, crd, one));
        await gone(client, crd.metadata.name!);
      }
      expect(problems).toEqual([]);
    });

  it('When all suites have run, it should have executed all 952 cases', () => {
    expect(executions).toBe(952);
  });
});

describe.skipIf(!present)('upstream CRDs over HTTPS', () => {
  const beside = ['karpenter', 'other'];
  it.each([
    { set: 'Default', folders: ['Default', ...beside] },
    { set: 'TechPreviewNoUpgrade', folders: ['TechPreviewNoUpgrade', ...beside] },
    { set: 'CustomNoUpgrade', folders: ['CustomNoUpgrade'] },
  ])('When all CRDs of $set are installed together, it should establish every one', async ({ folders }) => {
    const test = await startTestCluster();
    const all = folders
      .flatMap((folder) => vectors.files(`crd-schemas/${folder}`, '.json'))
      .map((file) => vectors.json<Crd>(file));
    for (const crd of all) await test.client.create(crds, crd);
    for (const crd of all) await established(test.client, crd.metadata.name!);
    const { items } = await test.client.list(crds);
    expect(items.length).toBe(all.length);
    await test.stop();
  });
});
