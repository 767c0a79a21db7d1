import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { MapReader } from '@hypershift-ts/fleet-settings';
import { compact } from '@hypershift-ts/fleet-settings';
import type {
  DiscoveryConfig,
  LifecycleConfig,
  ManifestConfig,
  NestedDiscoveryConfig,
  ResourceConfig,
} from './task-config.ts';

/** Reads one entry of `resources`. */
export function readResource(resource: MapReader, nameOf: (reader: MapReader) => string): ResourceConfig {
  const nested = resource.maps(
    'nested_discoveries',
    (one): NestedDiscoveryConfig =>
      compact({
        name: nameOf(one),
        discovery: readDiscovery(one),
        status_from_feedback: one.string('status_from_feedback'),
      }) as NestedDiscoveryConfig,
  );
  const immutable = resource.list('immutable', (item, path) => {
    if (typeof item !== 'string') resource.problems.add(path, 'a path such as spec.platform.type is expected');
    return typeof item === 'string' ? item : '';
  });
  return compact({
    name: nameOf(resource),
    transport: readTransport(resource),
    manifest: readManifest(resource),
    discovery: readDiscovery(resource),
    nested_discoveries: nested.length > 0 ? nested : undefined,
    recreate_on_change: resource.bool('recreate_on_change'),
    lifecycle: readLifecycle(resource.section('lifecycle')),
    immutable: immutable.length > 0 ? immutable : undefined,
  }) as ResourceConfig;
}

function readTransport(resource: MapReader): ResourceConfig['transport'] {
  const transport = resource.section('transport');
  if (!transport) return undefined;
  const client = transport.choice('client', ['kubernetes', 'maestro']);
  const maestro = transport.section('maestro');
  if (!transport.has('client')) transport.problem('client', 'is required: kubernetes or maestro');
  if (client === 'maestro' && !maestro) transport.problem('maestro', 'target_cluster is required for maestro');
  const read = compact({ client, maestro: maestro && { target_cluster: maestro.required('target_cluster') } });
  maestro?.end();
  transport.end();
  return read as ResourceConfig['transport'];
}

function readManifest(resource: MapReader): ManifestConfig {
  const manifest = resource.raw('manifest');
  if (typeof manifest === 'string' && manifest.trim() !== '') return manifest;
  if (!isJsonObject(manifest)) {
    resource.problem('manifest', 'is required: a map, a text, or {ref: file}');
    return '';
  }
  if (!('ref' in manifest)) {
    requireIdentity(resource, manifest);
    return manifest;
  }
  const reader = resource.section('manifest')!;
  const ref = reader.required('ref');
  reader.end();
  return { ref };
}

/** What is missing in metadata is found when the manifest is applied, since templates may provide it. */
function requireIdentity(resource: MapReader, manifest: JsonObject): void {
  for (const field of ['apiVersion', 'kind'])
    if (typeof manifest[field] !== 'string' || manifest[field] === '')
      resource.problems.add([...resource.path, 'manifest', field], 'is required');
}

function readDiscovery(holder: MapReader): DiscoveryConfig {
  const discovery = holder.section('discovery');
  if (!discovery) {
    holder.problem('discovery', 'is required: by_name or by_selectors');
    return {};
  }
  const selectors = discovery.section('by_selectors');
  const label_selector = selectors?.texts('label_selector');
  if (selectors && (!label_selector || Object.keys(label_selector).length === 0))
    selectors.problem('label_selector', 'needs at least one label');
  selectors?.end();
  const read = compact({
    namespace: discovery.string('namespace'),
    by_name: discovery.string('by_name'),
    by_selectors: label_selector && { label_selector },
  }) as DiscoveryConfig;
  if ((read.by_name === undefined) === (read.by_selectors === undefined))
    discovery.problem('by_name', 'exactly one of by_name and by_selectors is needed');
  discovery.end();
  return read;
}

function readLifecycle(lifecycle: MapReader | undefined): LifecycleConfig | undefined {
  if (!lifecycle) return undefined;
  const create = lifecycle.section('create');
  const remove = lifecycle.section('delete');
  const read = compact({
    create: create && { when: readLifecycleWhen(create) },
    delete:
      remove &&
      compact({
        when: readLifecycleWhen(remove),
        propagationPolicy: remove.choice('propagationPolicy', ['Background', 'Foreground', 'Orphan']),
      }),
  });
  create?.end();
  remove?.end();
  lifecycle.end();
  return read as LifecycleConfig;
}

function readLifecycleWhen(holder: MapReader): { readonly expression: string } {
  const when = holder.section('when');
  if (!when) holder.problem('when', 'an expression is required');
  const read = { expression: when?.required('expression') ?? '' };
  when?.end();
  return read;
}
