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

/** One authorized request on a resource, and how its answer is to be written. */
interface Handling {
  readonly options: ResourceHandlerOptions;
  readonly exchange: Exchange;
  readonly target: Target;
  readonly representation: Representation;
  readonly context: RequestContext;
}

const handlers: Readonly<Record<string, (handling: Handling) => Promise<void>>> = {
  get: handleGet,
  list: handleList,
  watch: streamWatch,
  create: handleCreate,
  update: handleUpdate,
  patch: handlePatch,
  delete: handleDelete,
  deletecollection: handleDeleteCollection,
};

/** Answers a request on a resource. Authorization has been granted. */
export async function handleResource(
  options: ResourceHandlerOptions,
  exchange: Exchange,
  info: RequestInfo,
  context: RequestContext,
  resource: Resource,
): Promise<void> {
  const handler = Object.hasOwn(handlers, info.verb) ? handlers[info.verb] : undefined;
  if (!handler) throw statusErrors.methodNotAllowed(resource, info.verb);
  if (resource.deprecationWarning) context.warn(resource.deprecationWarning);
  await handler({
    options,
    exchange,
    context,
    target: {
      resource,
      namespace: resource.namespaced ? info.namespace : '',
      name: info.name,
      subresource: info.subresource,
    },
    representation: negotiate(exchange.header('accept'), {
      transforms: info.subresource === '',
      protobuf: !resource.custom,
    }),
  });
}

async function handleGet(handling: Handling): Promise<void> {
  return sendStored(handling, 200, await handling.options.api.get(handling.target));
}

async function handleCreate(handling: Handling): Promise<void> {
  const { options, exchange, target, context } = handling;
  requireNamespace(target);
  const writeOptions = writeOptionsFromQuery(exchange.query, 'CreateOptions');
  const body = await decodeBody(exchange, options.maxBodyBytes, writeOptions.fieldValidation !== 'Ignore');
  return sendWritten(handling, await options.api.create(context, target, body, writeOptions));
}

async function handleUpdate(handling: Handling): Promise<void> {
  const { options, exchange, target, context } = handling;
  const writeOptions = writeOptionsFromQuery(exchange.query, 'UpdateOptions');
  const body = await decodeBody(exchange, options.maxBodyBytes, writeOptions.fieldValidation !== 'Ignore');
  return sendWritten(handling, await options.api.update(context, target, body, writeOptions));
}

async function handlePatch(handling: Handling): Promise<void> {
  const { options, exchange, target, context } = handling;
  const type = patchTypeOf(target.resource, contentTypeOf(exchange));
  const writeOptions = writeOptionsFromQuery(exchange.query, 'PatchOptions', type === 'apply');
  const body = await decodeBody(exchange, options.maxBodyBytes, writeOptions.fieldValidation !== 'Ignore');
  return sendWritten(handling, await options.api.patch(context, target, { type, ...body }, writeOptions));
}

async function handleDelete(handling: Handling): Promise<void> {
  const { options, exchange, target, context } = handling;
  const request = deleteOptions(await decodeOptionalBody(exchange, options.maxBodyBytes), exchange.query);
  const outcome = await options.api.delete(context, target, request);
  if (!outcome.gone) return sendStored(handling, 200, outcome.stored);
  // Pods and a few others answer with the object they removed; everything else with a Status.
  if (target.resource.logic.gracePeriod)
    return sendStored(handling, 200, { object: outcome.object, resource: target.resource });
  return exchange.json(200, outcome.status);
}

async function handleDeleteCollection({ options, exchange, target, context }: Handling): Promise<void> {
  const request = deleteOptions(await decodeOptionalBody(exchange, options.maxBodyBytes), exchange.query);
  const items = await options.api.deleteCollection(context, target, listRequest(exchange, target), request);
  const { listKind, apiVersion } = target.resource;
  const resourceVersion = String(await options.api.registry.store.currentRevision());
  return exchange.json(200, { kind: listKind, apiVersion, metadata: { resourceVersion }, items });
}

async function handleList({ options, exchange, target, representation, context }: Handling): Promise<void> {
  const { resource } = target;
  const answer = await listEntries(options.api.registry, resource, listRequest(exchange, target));
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

function sendWritten(handling: Handling, written: Written): Promise<void> {
  if (written.stored) return sendStored(handling, written.code, written.stored);
  const { exchange, representation } = handling;
  return exchange.send(written.code, representation.contentType, encodeObject(written.object!, representation));
}

async function sendStored(
  { exchange, representation, context }: Handling,
  code: number,
  stored: Partial<Stored> & { readonly object: UnstructuredObject },
): Promise<void> {
  const { resource, entry, object } = stored;
  const send = (body: string | Buffer): Promise<void> => exchange.send(code, representation.contentType, body);
  if (representation.as === 'object' || !resource) {
    const asStored = entry && resource && representation.format === 'json' && !resource.storage.fromStorage;
    return send(asStored ? wireText(entry) : encodeObject(object, representation));
  }
  if (representation.as === 'PartialObjectMetadata')
    return send(encodeObject(partialMetadata(object, representation.metaVersion), representation));
  const metadata = { resourceVersion: object.metadata.resourceVersion ?? '' };
  const table = tableOf(resource, [object], metadata, tableRequest(exchange, representation, context));
  return send(encodeObject(table, representation));
}

function requireNamespace(target: Target): void {
  if (target.resource.namespaced && target.namespace === '')
    throw statusErrors.badRequest('an empty namespace may not be set during creation');
}
