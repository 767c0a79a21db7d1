import type { Clock, Condition, KubeObject, ResourceType, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { delay, isJsonObject, isNotFound, StatusError, systemClock } from '@hypershift-ts/kube-apimachinery';
import { parseAllDocuments } from 'yaml';
import type { ApplyObject, Client } from '../client.ts';
import { RestMapper } from './rest-mapper.ts';

export interface ApplyManifestsOptions {
  readonly fieldManager: string;
  /** Default true: what we install is ours. */
  readonly force?: boolean;
  /** For namespaced objects that name no namespace. */
  readonly namespace?: string;
  /** How long CRDs may take to be served. Default 60 s. */
  readonly timeoutMs?: number;
  readonly mapper?: RestMapper;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

const crds: ResourceType<CustomResourceDefinition> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  resource: 'customresourcedefinitions',
  namespaced: false,
};

interface CustomResourceDefinition extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

const pollMs = 100;
const atOnce = 8;

/** The objects in a YAML or JSON text of any number of documents; Lists are unfolded. */
export function parseManifests(text: string): UnstructuredObject[] {
  const objects: UnstructuredObject[] = [];
  for (const document of parseAllDocuments(text)) {
    const problem = document.errors[0];
    if (problem) throw new Error(`the manifest is not YAML: ${problem.message.split('\n')[0]}`);
    collect(document.toJS({ maxAliasCount: 100 }), objects);
  }
  return objects;
}

function collect(value: unknown, into: UnstructuredObject[]): void {
  if (value === null || value === undefined) return;
  if (!isJsonObject(value) || typeof value['apiVersion'] !== 'string' || typeof value['kind'] !== 'string') {
    throw new Error('a document of the manifest has no apiVersion and kind');
  }
  if (value['kind'].endsWith('List') && Array.isArray(value['items'])) {
    for (const item of value['items']) collect(item, into);
  } else into.push(value as unknown as UnstructuredObject);
}

/** Server-side applies the documents: CRDs first (waiting until they are served), then namespaces, then the rest. */
export async function applyManifests(
  client: Client,
  manifests: string | readonly KubeObject[],
  options: ApplyManifestsOptions,
): Promise<UnstructuredObject[]> {
  const objects = typeof manifests === 'string' ? parseManifests(manifests) : (manifests as UnstructuredObject[]);
  const mapper = options.mapper ?? new RestMapper(client);
  const isCrd = (object: KubeObject) => object.kind === crds.kind && object.apiVersion.startsWith(`${crds.group}/`);
  const isNamespace = (object: KubeObject) => object.kind === 'Namespace' && object.apiVersion === 'v1';
  const definitions = objects.filter(isCrd);
  const applied = await each(definitions, (object) => apply(client, crds as ResourceType, object, options));
  if (definitions.length > 0) {
    await each(definitions, (definition) => whenEstablished(client, definition.metadata.name ?? '', options));
    mapper.reset();
  }
  for (const group of [objects.filter(isNamespace), objects.filter((o) => !isCrd(o) && !isNamespace(o))]) {
    const results = await each(group, async (object) => {
      const type = definitions.length > 0 ? await typeOfSoon(mapper, object, options) : await mapper.typeOf(object);
      return apply(client, type, object, options);
    });
    applied.push(...results);
  }
  return applied;
}

async function apply(
  client: Client,
  type: ResourceType,
  object: UnstructuredObject,
  options: ApplyManifestsOptions,
): Promise<UnstructuredObject> {
  const { name, namespace = options.namespace } = object.metadata ?? {};
  if (!name) throw new StatusError(400, 'BadRequest', `a ${object.kind} of the manifest has no metadata.name`);
  const metadata = { ...object.metadata, name, ...(type.namespaced && namespace ? { namespace } : {}) };
  const body: ApplyObject = { ...object, metadata };
  const { fieldManager, force = true, signal } = options;
  return client.apply(type, body, { fieldManager, force, ...(signal ? { signal } : {}) });
}

/** Servers begin to serve a new kind a moment after they call it Established. */
async function typeOfSoon(
  mapper: RestMapper,
  object: KubeObject,
  options: ApplyManifestsOptions,
): Promise<ResourceType> {
  const { clock = systemClock, signal, timeoutMs = 60_000 } = options;
  const deadline = clock.now() + timeoutMs;
  for (;;) {
    try {
      return await mapper.typeOf(object);
    } catch (error) {
      if (!isNotFound(error) || clock.now() >= deadline) throw error;
      await delay(clock, pollMs, signal);
      signal?.throwIfAborted();
    }
  }
}

/** Waits until the CRD's Established condition is true. */
export async function whenEstablished(
  client: Client,
  name: string,
  options: Pick<ApplyManifestsOptions, 'clock' | 'signal' | 'timeoutMs'> = {},
): Promise<void> {
  const { clock = systemClock, signal, timeoutMs = 60_000 } = options;
  const deadline = clock.now() + timeoutMs;
  for (;;) {
    const found = await client.get(crds, { name }, signal ? { signal } : {}).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    const conditions = found?.status?.conditions ?? [];
    if (conditions.some(({ type, status }) => type === 'Established' && status === 'True')) return;
    if (clock.now() >= deadline) {
      const why = conditions.find(({ status }) => status === 'False');
      const message = `the CustomResourceDefinition ${name} is not Established after ${timeoutMs} ms`;
      throw new StatusError(504, 'Timeout', why ? `${message}: ${why.reason}: ${why.message}` : message);
    }
    await delay(clock, pollMs, signal);
    signal?.throwIfAborted();
  }
}

/** In order of the input, a few at a time. */
async function each<A, B>(inputs: readonly A[], work: (input: A) => Promise<B>): Promise<B[]> {
  const results: B[] = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < inputs.length; i = next++) results[i] = await work(inputs[i] as A);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, inputs.length) }, worker));
  return results;
}
