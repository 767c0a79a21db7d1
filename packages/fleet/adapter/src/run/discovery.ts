import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { DiscoveryConfig, ResourceConfig } from '../config/task-config.ts';
import { findNested, withFeedbackStatus } from '../transport/manifest-work-contents.ts';
import type { DiscoveryQuery, Transport } from '../transport/transport.ts';
import type { RunContext } from './context.ts';
import { PermanentError } from './failure.ts';
import { manifestKind } from './manifest.ts';

/** The transport of a resource and the cluster behind it. */
export interface Route {
  readonly transport: Transport;
  readonly targetCluster?: string;
}

/** Chosen per resource, whatever other transports are configured. */
export function routeOf(context: RunContext, resource: ResourceConfig): Route {
  const client = resource.transport?.client ?? 'kubernetes';
  const transport = context.dependencies.transports[client];
  if (!transport) throw new PermanentError(`no ${client} transport is configured; add clients.${client}`);
  const target = resource.transport?.maestro?.target_cluster;
  return client === 'maestro' && target !== undefined
    ? { transport, targetCluster: context.render(target) }
    : { transport };
}

/** Looks for the object of a resource; undefined when there is none. */
export async function discover(
  context: RunContext,
  resource: ResourceConfig,
  { transport, targetCluster }: Route,
): Promise<UnstructuredObject | undefined> {
  const { namespace, ...rest } = renderedDiscovery(context, resource.discovery);
  const inside = namespace ?? targetCluster ?? manifestNamespace(context, resource);
  const query: DiscoveryQuery = {
    ...manifestKind(context, resource.manifest),
    ...rest,
    ...(inside === undefined || inside === '' ? {} : { namespace: inside }),
    ...(targetCluster === undefined ? {} : { targetCluster }),
  };
  return transport.find(query, context.signal);
}

/** Where the manifest puts the object, when its discovery does not say. */
function manifestNamespace(context: RunContext, { manifest }: ResourceConfig): string | undefined {
  if (typeof manifest === 'string') return undefined;
  const metadata = (manifest as { readonly metadata?: { readonly namespace?: unknown } }).metadata;
  return typeof metadata?.namespace === 'string' ? context.render(metadata.namespace) : undefined;
}

function renderedDiscovery(
  context: RunContext,
  discovery: DiscoveryConfig,
): { namespace?: string; name?: string; labels?: Record<string, string> } {
  const { namespace, by_name: name, by_selectors: selectors } = discovery;
  return {
    ...(namespace === undefined ? {} : { namespace: context.render(namespace) }),
    ...(name === undefined ? {} : { name: context.render(name) }),
    ...(selectors
      ? {
          labels: Object.fromEntries(
            Object.entries(selectors.label_selector).map(([key, value]) => [
              context.render(key),
              context.render(value),
            ]),
          ),
        }
      : {}),
  };
}

/** Names that a resource's objects appear under. */
function keysOf(resource: ResourceConfig): readonly string[] {
  return [resource.name, ...(resource.nested_discoveries ?? []).map(({ name }) => name)];
}

/** Makes the found object, and what is packed inside it, visible to expressions; nothing found removes the names. */
export function publish(context: RunContext, resource: ResourceConfig, found: UnstructuredObject | undefined): void {
  const own = new Set(keysOf(resource));
  for (const key of own) context.resources.delete(key);
  if (!found) return;
  context.resources.set(resource.name, found);
  for (const nested of resource.nested_discoveries ?? []) {
    const isTaken = context.adapter.task.resources.some(
      (other) => other !== resource && keysOf(other).includes(nested.name),
    );
    if (isTaken)
      throw new PermanentError(`nested discovery key collision: ${nested.name} is the name of another resource`);
    const object = findNested(found, renderedDiscovery(context, nested.discovery));
    const { status_from_feedback: feedback } = nested;
    // A nested discovery of the resource's own name stands for the object instead of the package around it.
    if (object)
      context.resources.set(nested.name, feedback === undefined ? object : withFeedbackStatus(object, feedback));
  }
}
