import { statusErrors, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Written } from '../registry/api.ts';
import { listEntries } from '../registry/list.ts';
import { patchTypeOf } from '../registry/patch.ts';
import { type Stored, servedObjects, type Target } from '../registry/registry.ts';
import { partialMetadata, partialMetadataList, tableOf } from '../representation/table.ts';
import type { RequestContext } from '../request/context.ts';
import { negotiate, type Representation } from '../request/negotiation.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { Resource } from '../resource/resource.ts';
import { wireText } from '../storage/codec.ts';
import { contentTypeOf, decodeBody, decodeOptionalBody } from './decode-body.ts';
import { encodeObject } from './encode.ts';
import type { Exchange } from './exchange.ts';
import { listRequest, type ResourceHandlerOptions, tableRequest } from './query.ts';
import { streamWatch } from './watch-stream.ts';
import { deleteOptions, writeOptionsFromQuery } from './write-options.ts';

/** Answers a request on a resource. Authorization has been granted. */
export async function handleResource(
  options: ResourceHandlerOptions,
  exchange: Exchange,
  info: RequestInfo,
  context: RequestContext,
  resource: Resource,
): Promise<void> {
  const target: Target = {
    resource,
    namespace: resource.namespaced ? info.namespace : '',
    name: info.name,
    subresource: info.subresource,
  };
  if (resource.deprecationWarning) context.warn(resource.deprecationWarning);
  const representation = negotiate(exchange.header('accept'), {
    transforms: info.subresource === '',
    protobuf: !resource.custom,
  });
  switch (info.verb) {
    case 'get':
      return sendStored(exchange, representation, 200, await options.api.get(target), context);
    case 'list':
      return handleList(options, exchange, target, representation, context);
    case 'watch':
      return streamWatch(options, exchange, target, representation, context);
    case 'create':
      return handleCreate(options, exchange, target, representation, context);
    case 'update':
      return handleUpdate(options, exchange, target, representation, context);
    case 'patch':
      return handlePatch(options, exchange, target, representation, context);
    case 'delete':
      return handleDelete(options, exchange, target, representation, context);
    case 'deletecollection':
      return handleDeleteCollection(options, exchange, target, context);
    default:
      throw statusErrors.methodNotAllowed(resource, info.verb);
  }
}

async function handleCreate(
  { api, maxBodyBytes }: ResourceHandlerOptions,
  exchange: Exchange,
  target: Target,
  representation: Representation,
  context: RequestContext,
): Promise<void> {
  requireNamespace(target);
  const options = writeOptionsFromQuery(exchange.query, 'CreateOptions');
  const body = await decodeBody(exchange, maxBodyBytes, options.fieldValidation !== 'Ignore');
  return sendWritten(exchange, representation, await api.create(context, target, body, options), context);
}

async function handleUpdate(
  { api, maxBodyBytes }: ResourceHandlerOptions,
  exchange: Exchange,
  target: Target,
  representation: Representation,
  context: RequestContext,
): Promise<void> {
  const options = writeOptionsFromQuery(exchange.query, 'UpdateOptions');
  const body = await decodeBody(exchange, maxBodyBytes, options.fieldValidation !== 'Ignore');
  return sendWritten(exchange, representation, await api.update(context, target, body, options), context);
}

async function handlePatch(
  { api, maxBodyBytes }: ResourceHandlerOptions,
  exchange: Exchange,
  target: Target,
  representation: Representation,
  context: RequestContext,
): Promise<void> {
  const type = patchTypeOf(target.resource, contentTypeOf(exchange));
  const options = writeOptionsFromQuery(exchange.query, 'PatchOptions', type === 'apply');
  const body = await decodeBody(exchange, maxBodyBytes, options.fieldValidation !== 'Ignore');
  return sendWritten(exchange, representation, await api.patch(context, target, { type, ...body }, options), context);
}

async function handleDelete(
  { api, maxBodyBytes }: ResourceHandlerOptions,
  exchange: Exchange,
  target: Target,
  representation: Representation,
  context: RequestContext,
): Promise<void> {
  const options = deleteOptions(await decodeOptionalBody(exchange, maxBodyBytes), exchange.query);
  const outcome = await api.delete(context, target, options);
  if (!outcome.gone) return sendStored(exchange, representation, 200, outcome.stored, context);
  // Pods and a few others answer with the object they removed; everything else with a Status.
  if (target.resource.logic.gracePeriod)
    return sendStored(exchange, representation, 200, { object: outcome.object, resource: target.resource }, context);
  return exchange.json(200, outcome.status);
}

async function handleDeleteCollection(
  { api, maxBodyBytes }: ResourceHandlerOptions,
  exchange: Exchange,
  target: Target,
  context: RequestContext,
): Promise<void> {
  const options = deleteOptions(await decodeOptionalBody(exchange, maxBodyBytes), exchange.query);
  const objects = await api.deleteCollection(context, target, listRequest(exchange, target), options);
  return exchange.json(200, {
    kind: target.resource.listKind,
    apiVersion: target.resource.apiVersion,
    metadata: {},
    items: objects,
  });
}

async function handleList(
  { api }: ResourceHandlerOptions,
  exchange: Exchange,
  target: Target,
  representation: Representation,
  context: RequestContext,
): Promise<void> {
  const { resource } = target;
  const answer = await listEntries(api.registry, resource, listRequest(exchange, target));
  const metadata = {
    resourceVersion: String(answer.revision),
    ...(answer.continue === '' ? {} : { continue: answer.continue }),
    ...(answer.remainingItemCount === undefined ? {} : { remainingItemCount: answer.remainingItemCount }),
  };
  if (representation.as === 'object' && representation.format === 'json' && !resource.storage.fromStorage) {
    const items = answer.entries.map((entry) => wireText(entry)).join(',');
    const head = JSON.stringify({ kind: resource.listKind, apiVersion: resource.apiVersion, metadata });
    return exchange.send(200, representation.contentType, `${head.slice(0, -1)},"items":[${items}]}\n`);
  }
  const objects = await servedObjects(resource, answer.entries);
  const body =
    representation.as === 'Table'
      ? tableOf(resource, objects, metadata, tableRequest(exchange, representation, context))
      : representation.as === 'PartialObjectMetadata'
        ? partialMetadataList(objects, metadata, representation.metaVersion)
        : { kind: resource.listKind, apiVersion: resource.apiVersion, metadata, items: objects };
  return exchange.send(200, representation.contentType, encodeObject(body, representation));
}

function sendWritten(
  exchange: Exchange,
  representation: Representation,
  written: Written,
  context: RequestContext,
): Promise<void> {
  if (written.stored) return sendStored(exchange, representation, written.code, written.stored, context);
  return exchange.send(written.code, representation.contentType, encodeObject(written.object!, representation));
}

async function sendStored(
  exchange: Exchange,
  representation: Representation,
  code: number,
  stored: Partial<Stored> & { readonly object: UnstructuredObject },
  context: RequestContext,
): Promise<void> {
  const { resource, entry, object } = stored;
  if (representation.as === 'object' || !resource) {
    if (entry && resource && representation.format === 'json' && !resource.storage.fromStorage)
      return exchange.send(code, representation.contentType, wireText(entry));
    return exchange.send(code, representation.contentType, encodeObject(object, representation));
  }
  const body =
    representation.as === 'Table'
      ? tableOf(
          resource,
          [object],
          { resourceVersion: object.metadata.resourceVersion ?? '' },
          tableRequest(exchange, representation, context),
        )
      : partialMetadata(object, representation.metaVersion);
  return exchange.send(code, representation.contentType, encodeObject(body, representation));
}

function requireNamespace(target: Target): void {
  if (target.resource.namespaced && target.namespace === '')
    throw statusErrors.badRequest('an empty namespace may not be set during creation');
}
