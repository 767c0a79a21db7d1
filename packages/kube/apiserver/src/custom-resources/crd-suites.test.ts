import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileJsonPath, deepFreeze, formatFieldError, jsonClone, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Draft } from '../kinds/behaviour.ts';
import type { ResourceLogic, Verdict } from '../resource/resource.ts';
import {
  type CustomResourceDefinition,
  compileCustomResource,
  defaultDefinition,
  prepareDefinitionForCreate,
  validateDefinition,
} from './index.ts';

const vectors = fileURLToPath(new URL('../../../../../../shared/vectors/', import.meta.url));
const present = existsSync(`${vectors}crd-testsuites/index.json`);
if (!present) process.stderr.write(`SKIPPED: upstream CRD suites are not at ${vectors}crd-testsuites\n`);

interface SuiteEntry {
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
  readonly initialCRDPatches?: readonly { readonly op: string; readonly path: string }[];
}

type Tests = { readonly onCreate?: readonly Case[]; readonly onUpdate?: readonly Case[] };

const parsed = new Map<string, unknown>();
/** Documents are parsed once and shared by all variants; whoever edits one takes a copy. */
function document(text: string): Draft {
  if (!parsed.has(text)) parsed.set(text, deepFreeze(parse(text, { uniqueKeys: false })));
  return jsonClone(parsed.get(text)) as Draft;
}

function refuse(verdict: Verdict): void {
  if (verdict.errors.length === 0) return;
  throw new Error(`is invalid: [${verdict.errors.map(formatFieldError).join(', ')}]`);
}

/** One object behind POST, PUT and PUT /status, as the request path treats custom resources. */
class TinyServer {
  logic: ResourceLogic;
  stored: Draft = {};

  constructor(logic: ResourceLogic) {
    this.logic = logic;
  }

  post(body: Draft): void {
    const draft = { ...body, metadata: { name: 'test-abcde', generateName: 'test-', namespace: 'default' } };
    this.logic.normalise(draft);
    if (this.logic.hasStatus) delete (draft as Draft)['status'];
    this.commit(draft, () => this.logic.validateCreate(draft as never));
  }

  put(body: Draft): void {
    const draft: Draft = { ...body, metadata: this.stored['metadata'] };
    this.logic.normalise(draft);
    if (this.logic.hasStatus) {
      delete draft['status'];
      if (this.stored['status'] !== undefined) draft['status'] = jsonClone(this.stored['status']);
    }
    this.commit(draft, () => this.logic.validateUpdate(draft as never, this.stored as never));
  }

  putStatus(status: unknown): void {
    const draft: Draft = { ...jsonClone(this.stored), status };
    this.logic.normalise(draft);
    this.commit(draft, () => this.logic.validateStatus(draft as never, this.stored as never));
  }

  private commit(draft: Draft, judge: () => Verdict): void {
    this.logic.defaults(draft);
    refuse(judge());
    this.stored = deepFreeze(draft);
  }
}

function withVersionOnly(crd: CustomResourceDefinition, version: string | undefined): CustomResourceDefinition {
  const chosen = crd.spec.versions.filter(({ name }) => version === undefined || name === version);
  return { ...crd, spec: { ...crd.spec, versions: chosen.map((one) => ({ ...one, served: true, storage: true })) } };
}

function patched(
  crd: CustomResourceDefinition,
  patches: NonNullable<Case['initialCRDPatches']>,
): CustomResourceDefinition {
  const copy = jsonClone(crd) as unknown;
  for (const { op, path } of patches) {
    expect(op).toBe('remove');
    const steps = path
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = steps.pop() as string;
    const target = steps.reduce((value, step) => (value as Record<string, unknown>)[step], copy);
    if (Array.isArray(target)) target.splice(Number(last), 1);
    else delete (target as Record<string, unknown>)[last];
  }
  return deepFreeze(copy) as CustomResourceDefinition;
}

function install(crd: CustomResourceDefinition): ResourceLogic {
  const version = compileCustomResource(crd).versions[0];
  if (!version) throw new Error('the CRD has no version');
  return version.logic;
}

function attempt(action: () => void): string {
  try {
    action();
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function outcomeMatches(failure: string, expected: string | undefined): string {
  if (!expected) return failure === '' ? '' : `unexpected failure: ${failure}`;
  if (failure === '') return `accepted, although it should fail with: ${expected}`;
  return failure.includes(expected) ? '' : `failed with ${failure}\n    instead of ${expected}`;
}

function compareStored(server: TinyServer, expected: string): string {
  const wanted = document(expected);
  for (const part of ['spec', 'status']) {
    if (wanted[part] === undefined || wanted[part] === null) continue;
    if (!jsonEqual(server.stored[part], wanted[part])) {
      return `${part} is ${JSON.stringify(server.stored[part])}\n    instead of ${JSON.stringify(wanted[part])}`;
    }
  }
  return '';
}

function runUpdate(crd: CustomResourceDefinition, test: Case): string {
  const logic = install(crd);
  const server = new TinyServer(test.initialCRDPatches ? install(patched(crd, test.initialCRDPatches)) : logic);
  const initial = document(test.initial);
  const setUp = attempt(() => {
    server.post(initial);
    if (initial['status']) server.putStatus(initial['status']);
    if (test.initialCRDPatches) {
      // The unchanged object must stay writable under the stricter schema.
      server.logic = logic;
      server.put(jsonClone(server.stored));
    }
  });
  if (setUp !== '') return `set-up failed: ${setUp}`;
  const updated = document(test.updated ?? '');
  const failure = attempt(() => server.put(updated));
  if (test.expectedError) return outcomeMatches(failure, test.expectedError);
  if (failure !== '') return `unexpected failure: ${failure}`;
  if (updated['status']) {
    const statusFailure = attempt(() => server.putStatus(updated['status']));
    if (test.expectedStatusError || statusFailure !== '')
      return outcomeMatches(statusFailure, test.expectedStatusError);
  }
  return test.expected ? compareStored(server, test.expected) : '';
}

describe.skipIf(!present)('upstream CRD admission suites', () => {
  const index: SuiteEntry[] = present ? JSON.parse(readFileSync(`${vectors}crd-testsuites/index.json`, 'utf8')) : [];
  let executions = 0;

  for (const suite of index) {
    it(`When ${suite.name} runs on its ${suite.variants.length} variants, it should agree with Kubernetes in every case`, () => {
      const { tests } = parse(readFileSync(vectors + suite.file, 'utf8'), { uniqueKeys: false }) as { tests: Tests };
      const problems: string[] = [];
      for (const variant of suite.variants) {
        const written = JSON.parse(readFileSync(vectors + variant, 'utf8')) as CustomResourceDefinition;
        const crd = deepFreeze(withVersionOnly(written, suite.version));
        for (const test of tests.onCreate ?? []) {
          executions++;
          const problem = outcomeMatches(
            attempt(() => new TinyServer(install(crd)).post(document(test.initial))),
            test.expectedError,
          );
          if (problem !== '') problems.push(`${variant}: ${test.name}: ${problem}`);
        }
        for (const test of tests.onUpdate ?? []) {
          executions++;
          const problem = runUpdate(crd, test);
          if (problem !== '') problems.push(`${variant}: ${test.name}: ${problem}`);
        }
      }
      expect(problems).toEqual([]);
    });
  }

  it('When all suites have run, it should have executed all 952 cases', () => {
    expect(executions).toBe(952);
  });
});

describe.skipIf(!present)('upstream CRDs', () => {
  const folders = ['Default', 'TechPreviewNoUpgrade', 'CustomNoUpgrade', 'karpenter', 'other'];
  it.each(folders)('When the CRDs in %s are created, it should find nothing wrong and compile them', (folder) => {
    const files = jsonFiles(`${vectors}crd-schemas/${folder}`);
    expect(files.length).toBeGreaterThan(4);
    const problems: string[] = [];
    for (const file of files) {
      const crd = JSON.parse(readFileSync(file, 'utf8')) as Draft;
      defaultDefinition(crd);
      prepareDefinitionForCreate(crd);
      const definition = deepFreeze(crd) as unknown as CustomResourceDefinition;
      problems.push(...validateDefinition(definition).map((error) => `${file}: ${formatFieldError(error)}`));
      compileCustomResource(definition);
      for (const version of definition.spec.versions) {
        for (const { jsonPath } of version.additionalPrinterColumns ?? []) compileJsonPath(jsonPath);
      }
    }
    expect(problems).toEqual([]);
  });
});

function jsonFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${folder}/${name}`);
}
