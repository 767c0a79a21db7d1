import {
  isAlreadyExists,
  isJsonObject,
  jsonClone,
  statusErrors,
  type UnstructuredObject,
} from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../kinds/behaviour.ts';
import type { RequestContext } from '../request/context.ts';
import { statusSection } from '../subresources/status.ts';
import { scaleView } from '../subresources/scale.ts';
import type { Subresource, SubresourceTable, View } from '../subresources/subresource.ts';
import { subresourceKey } from '../subresources/subresource.ts';
import { acceptBody, reportFieldProblems, requireName } from './body.ts';
import { createObject } from './create.ts';
import { type DeleteOutcome, type DeleteRequest, deleteObject } from './delete.ts';
import { draftFrom, type Ownership } from './draft.ts';
import { type ListRequest, listEntries } from './list.ts';
import { appliedConfiguration } from './managed-fields.ts';
import { applyBody, type PatchBody, patched } from './patch.ts';
import { getStored, type Registry, type Stored, servedObjects, type Target, type WriteOptions } from './registry.ts';
import { type Change, updateObject } from './update.ts';

/** The answer to a write: 201 for something new. */
export interface Written {
  readonly code: 200 | 201;
  readonly stored?: Stored;
  /** Answers that are not the resource itself: Scale, TokenRequest, Status. */
  readonly object?: object;
}

/** A decoded request body: the value, and what strict decoding found wrong with its text. */
export interface Body {
  readonly value: unknown;
  readonly problems: readonly string[];
  /** Whose the value is; the request's own when it does not say. */
  readonly ownership?: Ownership;
}

/**
 * The verbs on resources and subresources, after authentication and authorization, before any encoding: the
 * HTTP handlers and the in-process client both stand on this.
 */
export class Api {
  readonly registry: Registry;
  private readonly subresources: SubresourceTable;

  constructor(registry: Registry, subresources: SubresourceTable) {
    this.registry = registry;
    this.subresources = subresources;
  }

  async get(target: Target): Promise<Stored | { readonly object: UnstructuredObject }> {
    const form = this.formOf(target, 'get');
    const stored = await getStored(this.registry, target);
    return form?.form === 'view' ? { object: form.read(stored.object, target) } : stored;
  }

  async create(context: RequestContext, target: Target, body: Body, options: WriteOptions): Promise<Written> {
    const draft = body.value as Draft;
    // Reviews are resources that are only ever answered, never stored: their action stands under an empty name.
    const form = this.formOf(target, 'create') ?? this.subresources.get(subresourceKey(target));
    if (form === undefined) {
      acceptBody(target.resource, draft, body.problems, options, context);
      return { code: 201, stored: await createObject(this.registry, context, target, draft, options) };
    }
    if (form.form !== 'action') throw statusErrors.methodNotAllowed(target.resource, 'create');
    if (!isJsonObject(draft)) throw statusErrors.badRequest('the body must be a JSON object');
    if (target.subresource === '') acceptBody(target.resource, draft, body.problems, options, context);
    const { code, object } = await form.run(this.registry, context, target, draft, options);
    return { code: code === 201 ? 201 : 200, object };
  }

  async update(context: RequestContext, target: Target, body: Body, options: WriteOptions): Promise<Written> {
    const form = this.formOf(target, 'update');
    const { resource } = target;
    const sent = body.value as Draft;
    const lent = body.ownership === 'lent';
    const unconditional = !sent?.['metadata']?.resourceVersion;
    if (form?.form === 'view')
      return this.writeView(context, target, form, () => (lent ? jsonClone(sent) : sent), unconditional, options);
    const repeatable = unconditional && resource.logic.unconditionalUpdate;
    const accepted = (current: UnstructuredObject | undefined): Draft => {
      const draft = isJsonObject(sent) ? draftFrom(sent, current, lent || repeatable ? 'lent' : 'own') : sent;
      acceptBody(resource, draft, body.problems, options, context);
      requireName(draft, target);
      return draft;
    };
    let created = false;
    const create = async (): Promise<Stored> => {
      const draft = accepted(undefined);
      if (form !== undefined || !resource.logic.createOnUpdate) throw statusErrors.notFound(resource, target.name);
      created = true;
      return createObject(this.registry, context, target, draft, options);
    };
    const change = { ...this.sectionChange(form, context, accepted), repeatable, create };
    const stored = await updateObject(this.registry, context, target, change, options);
    return { code: created ? 201 : 200, stored };
  }

  async patch(context: RequestContext, target: Target, patch: PatchBody, options: WriteOptions): Promise<Written> {
    const form = this.formOf(target, 'patch');
    if (form?.form === 'view') {
      if (patch.type === 'apply')
        throw statusErrors.badRequest('server-side apply of a scale is not supported; patch spec.replicas instead');
      return this.writeView(
        context,
        target,
        form,
        (view) => jsonClone(patched(target.resource, view, patch)),
        true,
        options,
      );
    }
    if (patch.type === 'apply') return this.apply(context, target, patch, options, form);
    const next = (current: UnstructuredObject): Draft => {
      const draft = draftFrom(patched(target.resource, current, patch), current, 'lent');
      acceptBody(target.resource, draft, patch.problems, options, context);
      requireName(draft, target);
      return draft;
    };
    const stored = await updateObject(
      this.registry,
      context,
      target,
      { ...this.sectionChange(form, context, next), repeatable: true, optionsKind: 'PatchOptions' },
      options,
    );
    return { code: 200, stored };
  }

  private async apply(
    context: RequestContext,
    target: Target,
    patch: PatchBody,
    options: WriteOptions,
    form: Subresource | undefined,
  ): Promise<Written> {
    const config = applyBody(target.resource, patch.value);
    acceptBody(target.resource, config, patch.problems, options, context, true);
    reportFieldProblems(target.resource, [], options, context);
    let created = false;
    const create = async (): Promise<Stored> => {
      created = true;
      const { uid } = config['metadata'];
      if (uid)
        throw statusErrors.conflict(
          target.resource,
          target.name,
          `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
        );
      const draft = appliedConfiguration(target, undefined, config, options, context.now);
      return createObject(this.registry, context, target, draft, options, 'Apply');
    };
    const next = (current: UnstructuredObject): Draft =>
      appliedConfiguration(target, current, config, options, context.now);
    const write = () =>
      updateObject(
        this.registry,
        context,
        target,
        {
          ...this.sectionChange(form, context, next),
          repeatable: true,
          managedFieldsSettled: true,
          optionsKind: 'PatchOptions',
          ...(form === undefined ? { create } : {}),
        },
        options,
      );
    const stored = await write().catch((error: unknown) => {
      // Somebody else made it between the look and the creation: then there is something to apply to.
      if (!created || !isAlreadyExists(error)) throw error;
      created = false;
      return write();
    });
    return { code: created ? 201 : 200, stored };
  }

  delete(context: RequestContext, target: Target, options: DeleteRequest): Promise<DeleteOutcome> {
    if (target.subresource !== '') throw statusErrors.methodNotAllowed(target.resource, 'delete');
    return deleteObject(this.registry, context, target, options);
  }

  /** Deletes everything selected, each as if deleted alone; what vanished meanwhile is fine. */
  async deleteCollection(
    context: RequestContext,
    target: Target,
    request: ListRequest,
    options: DeleteRequest,
  ): Promise<readonly UnstructuredObject[]> {
    const { entries } = await listEntries(this.registry, target.resource, request);
    const objects = await servedObjects(target.resource, entries);
    for (const { metadata } of objects) {
      const one = { ...target, name: metadata.name ?? '', namespace: metadata.namespace ?? '' };
      await deleteObject(this.registry, context, one, options).catch((error) => {
        if ((error as { reason?: string }).reason !== 'NotFound') throw error;
      });
    }
    return objects;
  }

  private async writeView(
    context: RequestContext,
    target: Target,
    form: View,
    viewOf: (current: UnstructuredObject) => Draft,
    repeatable: boolean,
    options: WriteOptions,
  ): Promise<Written> {
    const view = (current: UnstructuredObject): Draft => {
      const written = viewOf(form.read(current, target));
      requireName(written, target);
      return written;
    };
    const change: Change = { next: (current) => form.write(view(current), current, target), repeatable };
    const stored = await updateObject(this.registry, context, target, change, options);
    return { code: 200, object: form.read(stored.object, target) };
  }

  private sectionChange(
    form: Subresource | undefined,
    context: RequestContext,
    next: (current: UnstructuredObject) => Draft,
  ): Pick<Change, 'next' | 'as' | 'validate'> {
    if (form?.form !== 'section') return { next };
    return {
      next: (current) => form.take(next(current), current, context),
      as: form.as,
      ...(form.validate ? { validate: form.validate } : {}),
    };
  }

  /** How the target's subresource works; undefined for the object itself. 404 when there is no such subresource. */
  private formOf(target: Target, verb: string): Subresource | undefined {
    if (target.subresource === '') return undefined;
    const known = target.resource.subresources.find(({ name }) => name === target.subresource);
    if (!known) throw statusErrors.unknownPath();
    if (!known.verbs.includes(verb)) throw statusErrors.methodNotAllowed(target.resource, verb);
    const form = this.subresources.get(subresourceKey(target));
    if (form) return form;
    if (target.subresource === 'status') return statusSection;
    if (target.subresource === 'scale' && target.resource.logic.scale) return scaleView;
    throw statusErrors.unknownPath();
  }
}
