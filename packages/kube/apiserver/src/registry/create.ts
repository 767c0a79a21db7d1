import { generateName, statusErrors, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { AdmissionRequest } from '../admission/admission.ts';
import type { Draft } from '../kinds/behaviour.ts';
import type { RequestContext } from '../request/context.ts';
import { agreeWithPath } from './body.ts';
import { trackFields } from './managed-fields.ts';
import type { Registry, Stored, Target, Undo, WriteOptions } from './registry.ts';
import { hooksOf, keyOfTarget } from './registry.ts';
import {
  asIfStored,
  commitObject,
  managerOf,
  scopeOf,
  settle,
  stampNewObject,
  validateMetadataForCreate,
} from './write.ts';

/** A taken generateName suffix is tried again this often before the client is told. */
const generateNameAttempts = 8;

const createOptions = Object.freeze({
  apiVersion: 'meta.k8s.io/v1',
  kind: 'CreateOptions',
}) as unknown as UnstructuredObject;

/** Only the server sets these, and later. */
const serverFields = ['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'] as const;

/** Stores a new object. The draft is accepted (acceptBody) and belongs to this call. */
export async function createObject(
  registry: Registry,
  context: RequestContext,
  target: Target,
  draft: Draft,
  options: WriteOptions,
  operation: 'Update' | 'Apply' = 'Update',
): Promise<Stored> {
  const { resource } = target;
  agreeWithPath(resource, draft, target);
  const metadata = draft['metadata'];
  if (metadata.resourceVersion !== undefined && metadata.resourceVersion !== '')
    throw statusErrors.badRequest('resourceVersion should not be set on objects to be created');
  delete metadata.resourceVersion;
  const generated =
    (metadata.name === undefined || metadata.name === '') &&
    typeof metadata.generateName === 'string' &&
    metadata.generateName !== '';

  for (const field of serverFields) delete metadata[field];
  if (resource.logic.hasStatus && !resource.logic.keepsStatusOnCreate) delete draft['status'];
  resource.logic.complete?.(draft);
  resource.logic.defaults(draft);
  // What admission and preparation change belongs to nobody.
  if (operation === 'Update') trackFields(resource, undefined, draft, managerOf(options, context), '', context.now);
  if (generated) metadata.name = generateName(metadata.generateName, registry.random);
  const request: AdmissionRequest = {
    operation: 'CREATE',
    resource,
    subresource: target.subresource,
    namespace: target.namespace,
    name: generated ? '' : (metadata.name ?? ''),
    object: draft,
    options: createOptions,
    dryRun: options.dryRun,
  };
  const mutating = registry.admission.mutate(request, context);
  if (mutating) await mutating;
  const object = request.object!;
  stampNewObject(registry, object, context);
  resource.logic.prepareForCreate(object, scopeOf(context, target, options));
  if (resource.logic.tracksGeneration) object['metadata'].generation = 1;
  else delete object['metadata'].generation;

  const preparing = hooksOf(registry, resource)?.beforeCreate?.(object);
  const undo: Undo = preparing instanceof Promise ? await preparing : preparing;
  try {
    const frozen = object as unknown as UnstructuredObject;
    const verdict = resource.logic.validateCreate(frozen);
    const errors = validateMetadataForCreate(resource, frozen);
    for (const error of verdict.errors) errors.push(error);
    settle(resource, object['metadata'].name ?? '', { errors, warnings: verdict.warnings }, context);
    const validating = registry.admission.validate(request, context);
    if (validating) await validating;
    if (options.dryRun) {
      const { entry } = await registry.store.get(keyOfTarget({ ...target, name: object['metadata'].name }));
      if (entry) throw statusErrors.alreadyExists(resource, object['metadata'].name);
      undo?.();
      return asIfStored(resource, object);
    }
    return await commitNew(registry, target, object, generated);
  } catch (error) {
    undo?.();
    throw error;
  }
}

async function commitNew(registry: Registry, target: Target, object: Draft, generated: boolean): Promise<Stored> {
  const metadata = object['metadata'];
  for (let attempt = 1; ; attempt++) {
    const result = await commitObject(registry, target, object, 0);
    if (result.ok) return result.stored;
    if (!generated || attempt >= generateNameAttempts) throw statusErrors.alreadyExists(target.resource, metadata.name);
    object['metadata'] = { ...metadata, name: generateName(metadata.generateName, registry.random) };
  }
}
