import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { errorMessage } from '@hypershift-ts/kube-apimachinery';
import type { ReconcileContext } from '@hypershift-ts/kube-controller';
import { deleteIfPresent, ownerReference } from '@hypershift-ts/kube-controller';
import type { Environment } from '../environment.ts';
import { cloneOf, clonedKindOf, refTo } from '../external/clone.ts';
import type { ObjectRef } from '../external/resource-types.ts';
import * as capi from '../generated/capiv1beta1.ts';
import { type Birth, desiredMachine, machineMetadata } from './desired-machine.ts';
import type { CreationFailure } from './status.ts';

export const fieldManager = 'capi-machineset';

/** The templates a set's Machines are made from, read once for a whole batch. */
export interface Templates {
  readonly infrastructure: UnstructuredObject;
  readonly bootstrap: UnstructuredObject | undefined;
}

/** A failure with the reason that the MachinesCreated condition shows. */
export class CreationError extends Error {
  override readonly name = 'CreationError';
  readonly failure: CreationFailure;

  constructor(reason: CreationFailure['reason'], message: string, cause?: unknown) {
    super(message, { cause });
    this.failure = { reason, message };
  }
}

export async function readTemplates(
  set: capi.MachineSet,
  { external }: Environment,
  { signal }: ReconcileContext,
): Promise<Templates> {
  const { infrastructureRef, bootstrap } = set.spec.template?.spec ?? {};
  const read = async (ref: ObjectRef, reason: CreationFailure['reason']) => {
    const { object } = await external.find(ref, signal);
    if (object) return object;
    const advice = `create it, or point spec.template of MachineSet ${set.metadata.name} at one that exists`;
    throw new CreationError(reason, `${ref.kind} ${ref.name} not found; ${advice}`);
  };
  return {
    infrastructure: await read(infrastructureRef ?? {}, 'InfrastructureTemplateCloningFailed'),
    bootstrap: bootstrap?.configRef && (await read(bootstrap.configRef, 'BootstrapTemplateCloningFailed')),
  };
}

/** Creates the provider's object first and the Machine that refers to it second; a failure leaves neither behind. */
export async function createMachine(
  set: capi.MachineSet,
  name: string,
  templates: Templates,
  env: Environment,
  context: ReconcileContext,
): Promise<capi.Machine> {
  const made: { readonly type: Awaited<ReturnType<typeof env.external.typeOf>>; readonly name: string }[] = [];
  const clone = async (template: UnstructuredObject, reason: CreationFailure['reason']) => {
    try {
      const kind = clonedKindOf(template.kind);
      const type = await env.external.typeOf({ apiVersion: template.apiVersion, kind });
      const owner = ownerReference(capi.machinesets, set);
      const object = cloneOf(template, type, name, set.spec.clusterName, machineMetadata(set), owner);
      await context.client.create(type, object);
      made.push({ type, name });
      return refTo(type, env.namespace, name);
    } catch (error) {
      throw new CreationError(
        reason,
        `cannot clone ${template.kind} ${template.metadata.name}: ${errorMessage(error)}`,
        error,
      );
    }
  };
  try {
    const { version, failureDomain, bootstrap } = set.spec.template?.spec ?? { bootstrap: {} };
    const configRef = templates.bootstrap && (await clone(templates.bootstrap, 'BootstrapTemplateCloningFailed'));
    const birth: Birth = {
      bootstrap: { ...bootstrap, ...(configRef ? { configRef } : {}) },
      infrastructureRef: await clone(templates.infrastructure, 'InfrastructureTemplateCloningFailed'),
      ...(version === undefined ? {} : { version }),
      ...(failureDomain === undefined ? {} : { failureDomain }),
    };
    return await context.client.apply(capi.machines, desiredMachine(set, name, birth), { fieldManager, force: true });
  } catch (error) {
    const { namespace } = env;
    await Promise.allSettled(made.map(({ type }) => deleteIfPresent(context.client, type, { namespace, name })));
    if (error instanceof CreationError) throw error;
    throw new CreationError('MachineCreationFailed', `cannot create Machine ${name}: ${errorMessage(error)}`, error);
  }
}
