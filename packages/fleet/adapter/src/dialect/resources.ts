import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { canonicalWhen } from './conditions.ts';
import type { Draft, Rewriter } from './draft.ts';
import { withGeneration, wrapInManifestWork } from './manifest-work.ts';

/** Keys of a resource entry; what else stands beside them in the bare form belongs to the manifest. */
const ENTRY_KEYS = new Set([
  'backend',
  'target_cluster',
  'transport',
  'discovery',
  'nested_discoveries',
  'recreate_on_change',
  'lifecycle',
  'immutable',
  'track',
]);

/** A resource entry in canonical form. */
export function canonicalResource(resource: JsonObject, rewriter: Rewriter): JsonObject {
  return rewriter.edit(fromBareManifest(resource, rewriter), (draft) => {
    track(draft, rewriter);
    transport(draft, rewriter);
    wrap(draft, rewriter);
    discovery(draft);
    lifecycle(draft, rewriter);
  });
}

/** `{kind, apiVersion, namespace, name, spec}` is a manifest written where its entry should be. */
function fromBareManifest(resource: JsonObject, rewriter: Rewriter): JsonObject {
  const { kind, apiVersion, manifest } = resource;
  if (manifest !== undefined || typeof kind !== 'string' || typeof apiVersion !== 'string') return resource;
  const entry: Draft = { name: kind[0]!.toLowerCase() + kind.slice(1) };
  const metadata: Draft = {};
  const body: Draft = {};
  for (const [key, value] of Object.entries(resource)) {
    if (ENTRY_KEYS.has(key)) entry[key] = value;
    else if (['name', 'namespace', 'labels', 'annotations'].includes(key)) metadata[key] = value;
    else if (key === 'metadata' && isJsonObject(value)) Object.assign(metadata, value);
    else if (key !== 'kind' && key !== 'apiVersion') body[key] = value;
  }
  entry['manifest'] = withGeneration({ apiVersion, kind, metadata: metadata as JsonObject, ...body });
  return rewriter.made(entry as JsonObject, resource);
}

function track(draft: Draft, rewriter: Rewriter): void {
  const { track: tracked } = draft;
  if (!isJsonObject(tracked)) return;
  rewriter.older = true;
  delete draft['track'];
  if (typeof tracked['as'] === 'string') draft['name'] = tracked['as'];
  if (isJsonObject(tracked['discovery'])) draft['discovery'] ??= tracked['discovery'];
}

function transport(draft: Draft, rewriter: Rewriter): void {
  const { backend, target_cluster: target } = draft;
  if (typeof backend !== 'string' && typeof target !== 'string') return;
  rewriter.older = true;
  delete draft['backend'];
  delete draft['target_cluster'];
  const client = typeof backend === 'string' ? backend : 'maestro';
  draft['transport'] ??= { client, ...(typeof target === 'string' ? { maestro: { target_cluster: target } } : {}) };
}

/** What goes through Maestro must be a ManifestWork; anything else is packed into one. */
function wrap(draft: Draft, rewriter: Rewriter): void {
  const { manifest, transport: via, name } = draft;
  if (!isJsonObject(manifest) || !isJsonObject(via) || via['client'] !== 'maestro') return;
  if (manifest['kind'] === 'ManifestWork' || 'ref' in manifest || typeof manifest['kind'] !== 'string') return;
  const target = isJsonObject(via['maestro']) ? via['maestro']['target_cluster'] : undefined;
  if (typeof target !== 'string') return;
  const wrapped = wrapInManifestWork(manifest, target);
  rewriter.older = true;
  draft['manifest'] = wrapped.work;
  // The name keeps meaning the object itself; the work around it is a matter of transport.
  const inner = {
    name: name ?? '',
    discovery: { ...(wrapped.namespace === undefined ? {} : { namespace: wrapped.namespace }), by_name: wrapped.name },
    status_from_feedback: 'status',
  };
  const others = Array.isArray(draft['nested_discoveries'])
    ? (draft['nested_discoveries'] as readonly JsonValue[])
    : [];
  draft['nested_discoveries'] = [...others, inner];
  draft['discovery'] = { namespace: target, by_name: wrapped.workName };
}

/** Without a discovery the object is looked up by what its manifest calls it. */
function discovery(draft: Draft): void {
  const { manifest } = draft;
  if (draft['discovery'] !== undefined || !isJsonObject(manifest) || !isJsonObject(manifest['metadata'])) return;
  const { name, namespace } = manifest['metadata'];
  if (typeof name !== 'string') return;
  draft['discovery'] = { ...(typeof namespace === 'string' ? { namespace } : {}), by_name: name };
}

function lifecycle(draft: Draft, rewriter: Rewriter): void {
  const { lifecycle: cycle } = draft;
  if (!isJsonObject(cycle)) return;
  draft['lifecycle'] = rewriter.edit(cycle, (phases) => {
    for (const [phase, rule] of Object.entries(phases)) {
      if (!isJsonObject(rule) || !isJsonObject(rule['when'])) continue;
      const { when } = rule;
      phases[phase] = rewriter.edit(rule, (inner) => {
        inner['when'] = canonicalWhen(when, rewriter);
      });
    }
  });
}
