import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { errorMessage } from '@hypershift-ts/kube-apimachinery';
import type { ResourceConfig } from '../config/task-config.ts';
import type { Operation } from '../transport/transport.ts';
import type { RunContext } from './context.ts';
import type { Route } from './discovery.ts';
import { discover, publish, routeOf } from './discovery.ts';
import { PermanentError } from './failure.ts';
import { changedImmutableFields } from './immutable.ts';
import { renderManifest } from './manifest.ts';

export interface ResourceResult {
  readonly name: string;
  readonly status: 'success' | 'failed' | 'skipped';
  readonly operation?: Operation;
  readonly reason?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly resourceName?: string;
  /** What was there before a deletion. */
  readonly discoveredState?: UnstructuredObject;
  readonly error?: string;
}

interface ResourceFailure {
  readonly step: string;
  readonly cause: unknown;
}

export interface ResourcesOutcome {
  readonly results: readonly ResourceResult[];
  readonly failures: readonly ResourceFailure[];
}

/** Applies or deletes the resources in order. A failed apply ends the list; a failed deletion does not. */
export async function processResources(context: RunContext): Promise<ResourcesOutcome> {
  const { resources } = context.adapter.task;
  const results: ResourceResult[] = [];
  const failures: ResourceFailure[] = [];
  const before = await discoverBefore(context, resources);
  if (before) return { results, failures: [before] };
  for (const resource of resources) {
    const done = await processResource(context, resource);
    results.push(done.result);
    if (done.cause === undefined) continue;
    failures.push({ step: resource.name, cause: done.cause });
    context.state.failResource(resource.name, errorMessage(done.cause));
    if (done.result.operation !== 'delete') break;
  }
  return { results, failures };
}

/** With lifecycle rules, every expression may ask about every object, whatever their order. */
async function discoverBefore(
  context: RunContext,
  resources: readonly ResourceConfig[],
): Promise<ResourceFailure | undefined> {
  if (!resources.some(({ lifecycle, immutable }) => lifecycle !== undefined || immutable !== undefined))
    return undefined;
  for (const resource of resources) {
    try {
      publish(context, resource, await discover(context, resource, routeOf(context, resource)));
    } catch (cause) {
      // Taking an object that could not be looked up for absent might delete or finalize too early.
      return { step: resource.name, cause };
    }
  }
  return undefined;
}

interface Done {
  readonly result: ResourceResult;
  readonly cause?: unknown;
}

async function processResource(context: RunContext, resource: ResourceConfig): Promise<Done> {
  const { name, lifecycle } = resource;
  let operation: Operation | undefined;
  try {
    const route = routeOf(context, resource);
    if (lifecycle?.delete) {
      operation = 'delete';
      if (context.test(lifecycle.delete.when.expression, 'lifecycle.delete.when'))
        return { result: await remove(context, resource, route) };
      operation = undefined;
    }
    if (lifecycle?.create && !context.resources.has(name)) {
      operation = 'create';
      if (!context.test(lifecycle.create.when.expression, 'lifecycle.create.when'))
        return { result: skipped(context, name) };
    }
    return await apply(context, resource, route);
  } catch (cause) {
    const result = { name, status: 'failed' as const, error: errorMessage(cause), ...(operation ? { operation } : {}) };
    return { result, cause };
  }
}

function skipped(context: RunContext, name: string): ResourceResult {
  const reason = 'lifecycle.create.when condition evaluated to false';
  context.state.skip(`${name}: ${reason}`);
  return { name, status: 'skipped', operation: 'skip', reason };
}

async function apply(context: RunContext, resource: ResourceConfig, route: Route): Promise<Done> {
  const { name, immutable, recreate_on_change: recreateOnChange } = resource;
  const manifest = renderManifest(context, resource.manifest);
  const identity = identityOf(manifest);
  try {
    const existing = context.resources.get(name);
    if (immutable && existing) refuseChanges(immutable, manifest, existing);
    const { operation, reason } = await route.transport.apply(
      {
        manifest,
        ...(recreateOnChange ? { recreateOnChange } : {}),
        ...(route.targetCluster === undefined ? {} : { targetCluster: route.targetCluster }),
      },
      context.signal,
    );
    const found = await discover(context, resource, route);
    if (!found) throw new Error(`${manifest.kind} ${manifest.metadata.name} was not found after it was applied`);
    publish(context, resource, found);
    return { result: { name, ...identity, status: 'success', operation, reason } };
  } catch (cause) {
    return { result: { name, ...identity, status: 'failed', error: errorMessage(cause) }, cause };
  }
}

function refuseChanges(paths: readonly string[], manifest: UnstructuredObject, existing: UnstructuredObject): void {
  const changed = changedImmutableFields(paths, manifest, existing);
  if (changed.length > 0)
    throw new PermanentError(`ImmutableFieldChanged: ${changed.join(', ')} cannot change; restore the former values`);
}

/** Deletes what is there and looks again: dependents may go on in the same run only when it is really gone. */
async function remove(context: RunContext, resource: ResourceConfig, route: Route): Promise<ResourceResult> {
  const { name } = resource;
  const found = await discover(context, resource, route);
  if (!found) {
    publish(context, resource, undefined);
    return { name, status: 'success', operation: 'delete', reason: 'resource already deleted or never existed' };
  }
  const propagationPolicy = resource.lifecycle?.delete?.propagationPolicy ?? 'Background';
  // Asking again while finalizers run changes nothing.
  if (found.metadata.deletionTimestamp === undefined) {
    const { targetCluster } = route;
    await route.transport.delete(
      { object: found, propagationPolicy, ...(targetCluster === undefined ? {} : { targetCluster }) },
      context.signal,
    );
  }
  publish(context, resource, await discover(context, resource, route));
  const reason = 'lifecycle.delete.when evaluated to true';
  return { name, ...identityOf(found), status: 'success', operation: 'delete', reason, discoveredState: found };
}

function identityOf({
  kind,
  metadata,
}: UnstructuredObject): Pick<ResourceResult, 'kind' | 'namespace' | 'resourceName'> {
  return {
    kind,
    ...(metadata.namespace ? { namespace: metadata.namespace } : {}),
    resourceName: metadata.name ?? '',
  };
}
