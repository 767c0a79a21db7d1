import { statusErrors } from '@hypershift-ts/kube-apimachinery';
import { CompactedError, type Entry, FutureRevisionError } from '@hypershift-ts/kube-store';
import type { Resource } from '../resource/resource.ts';
import { keyRange, storageKey } from '../storage/keys.ts';
import { checkListOptions } from './list-options.ts';
import { type Registry, servedObjects } from './registry.ts';
import { parseResourceVersion, tooLargeResourceVersion } from './resource-version.ts';
import type { Selection } from './selection.ts';

/** Query options of a list. */
export interface ListRequest {
  readonly namespace: string;
  readonly selection: Selection;
  readonly limit: number;
  readonly continue: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
}

export interface ListAnswer {
  readonly resource: Resource;
  readonly entries: readonly Entry[];
  readonly revision: number;
  readonly continue: string;
  readonly remainingItemCount: number | undefined;
}

/** How many entries are read at a time when a selector may drop many of them. */
const pageSize = 500;

/** Entries of a resource in key order, at one revision. */
export async function listEntries(registry: Registry, resource: Resource, request: ListRequest): Promise<ListAnswer> {
  checkListOptions({ ...request, watch: false, sendInitialEvents: undefined });
  const { selection, limit } = request;
  const namespace = resource.namespaced ? request.namespace || selection.namespace || '' : '';
  const range = keyRange(resource.storage.prefix, namespace || undefined);
  const position = startOf(request, range.start);
  if (
    limit === 0 &&
    position.revision === 0 &&
    selection.name !== undefined &&
    (!resource.namespaced || namespace !== '')
  )
    return listOne(registry, resource, namespace, selection, request);

  const kept: Entry[] = [];
  let { start, revision } = position;
  let remaining = 0;
  let more = false;
  for (;;) {
    const wanted = limit === 0 ? undefined : selection.matches ? Math.max(limit - kept.length, pageSize) : limit;
    const page = await readRange(registry, { start, end: range.end, ...(wanted ? { limit: wanted } : {}), revision });
    checkFresh(request, page.revision);
    if (revision === 0) revision = page.revision;
    const matching = await filterEntries(resource, page.entries, selection);
    const room = limit === 0 ? matching.length : limit - kept.length;
    for (const entry of matching.slice(0, room)) kept.push(entry);
    const exhausted = page.count <= page.entries.length;
    more = matching.length > room || !exhausted;
    remaining = page.count - page.entries.length;
    if (exhausted || (limit > 0 && kept.length >= limit)) break;
    start = `${page.entries.at(-1)!.key}\0`;
  }
  const last = kept.at(-1);
  return {
    resource,
    entries: kept,
    revision,
    continue: more && last && limit > 0 ? encodeContinue(revision, last.key.slice(range.start.length)) : '',
    remainingItemCount: more && !selection.matches ? remaining : undefined,
  };
}

/** A list by metadata.name reads one key instead of the range. */
async function listOne(
  registry: Registry,
  resource: Resource,
  namespace: string,
  selection: Selection,
  request: ListRequest,
): Promise<ListAnswer> {
  const key = storageKey(resource.storage.prefix, namespace || undefined, selection.name!);
  const { entry, revision } = await registry.store.get(key);
  checkFresh(request, revision);
  const entries = entry ? await filterEntries(resource, [entry], selection) : [];
  return { resource, entries, revision, continue: '', remainingItemCount: undefined };
}

async function filterEntries(
  resource: Resource,
  entries: readonly Entry[],
  selection: Selection,
): Promise<readonly Entry[]> {
  if (!selection.matches) return entries;
  const objects = await servedObjects(resource, entries);
  return entries.filter((_, index) => selection.matches!(objects[index]!));
}

async function readRange(registry: Registry, range: Parameters<Registry['store']['range']>[0]) {
  try {
    return await registry.store.range(range);
  } catch (error) {
    if (error instanceof CompactedError)
      throw statusErrors.expired(
        'The provided continue parameter is too old to display a consistent list result. You must start a new list without the continue parameter.',
      );
    if (error instanceof FutureRevisionError) throw tooLargeResourceVersion(range.revision ?? 0, error.currentRevision);
    throw error;
  }
}

/** Where the list begins and at which revision it reads (0: the latest). */
function startOf(request: ListRequest, rangeStart: string): { start: string; revision: number } {
  if (request.continue !== '') {
    if (request.resourceVersion !== '' && request.resourceVersion !== '0')
      throw statusErrors.badRequest('specifying resource version is not allowed when using continue');
    const token = decodeContinue(request.continue);
    return { start: `${rangeStart}${token.start}\0`, revision: token.revision };
  }
  const revision = parseResourceVersion(request.resourceVersion);
  return { start: rangeStart, revision: request.resourceVersionMatch === 'Exact' ? revision : 0 };
}

function checkFresh(request: ListRequest, current: number): void {
  if (request.continue !== '') return;
  const wanted = parseResourceVersion(request.resourceVersion);
  if (wanted > current) throw tooLargeResourceVersion(wanted, current);
}

function encodeContinue(revision: number, start: string): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start }), 'utf8').toString('base64url');
}

function decodeContinue(token: string): { revision: number; start: string } {
  try {
    const parsed = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as {
      v?: unknown;
      rv?: unknown;
      start?: unknown;
    };
    if (
      parsed.v === 'meta.k8s.io/v1' &&
      Number.isSafeInteger(parsed.rv) &&
      typeof parsed.start === 'string' &&
      !parsed.start.includes('..')
    )
      return { revision: parsed.rv as number, start: parsed.start };
  } catch {
    // Falls through to the one message clients know.
  }
  throw statusErrors.badRequest(
    'invalid continue token: continue key is not valid: it must be the token of an earlier list',
  );
}
