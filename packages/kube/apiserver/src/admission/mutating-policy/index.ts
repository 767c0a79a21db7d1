import { type Clock, errorMessage, jsonEqual, statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { Store } from '@hypershift-ts/kube-store';
import type { Authorizer } from '../../authorization/index.ts';
import type { RequestContext } from '../../request/context.ts';
import type { Resource } from '../../resource/resource.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { requestBindings } from '../expressions/bindings.ts';
import { meetsConditions } from '../expressions/match-conditions.ts';
import type { Lookup } from '../lookup.ts';
import { matchRequest } from '../matching/criteria.ts';
import { RequestView } from '../matching/request-view.ts';
import { type BoundPolicy, PolicyBook } from '../policy-book.ts';
import { replaceObject } from '../replace-object.ts';
import { paramsFor } from '../validating-policy/params.ts';
import { type CompiledMutatingPolicy, compileMutatingPolicy, type MutatingPolicySpec } from './compile.ts';
import { mutatedObject } from './mutate.ts';

export interface MutatingPolicyOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly lookup: Lookup;
  readonly authorizer: Authorizer;
  readonly log: (message: string, error?: unknown) => void;
}

type Policy = BoundPolicy<CompiledMutatingPolicy>;
type Binding = Policy['bindings'][number];

/** MutatingAdmissionPolicies and their bindings, kept fresh from the store. */
export class MutatingPolicies {
  readonly plugin: AdmissionPlugin;
  private readonly book: PolicyBook<CompiledMutatingPolicy>;
  private readonly options: MutatingPolicyOptions;

  constructor(options: MutatingPolicyOptions) {
    this.options = options;
    this.book = new PolicyBook(options, {
      policies: 'mutatingadmissionpolicies',
      bindings: 'mutatingadmissionpolicybindings',
      compile: (policy) => compileMutatingPolicy((policy['spec'] ?? {}) as MutatingPolicySpec),
    });
    this.plugin = {
      name: 'MutatingAdmissionPolicy',
      // Nothing can be changed about a deletion.
      handles: (request) => request.object !== undefined && this.book.find(request).length > 0,
      mutate: (request, context) => this.mutate(request, context),
    };
  }

  start(): Promise<void> {
    return this.book.start();
  }

  stop(): void {
    this.book.stop();
  }

  /** Once more, after others changed the object, for the policies that ask for it. */
  async reinvoke(request: AdmissionRequest, context: RequestContext): Promise<void> {
    if (!this.plugin.handles(request)) return;
    const view = new RequestView(request, context, this.options.lookup);
    for (const policy of this.book.find(request)) if (asksAgain(policy)) await this.apply(policy, view);
  }

  private async mutate(request: AdmissionRequest, context: RequestContext): Promise<void> {
    const view = new RequestView(request, context, this.options.lookup);
    let again: Policy[] = [];
    let reinvocable: Policy[] = [];
    for (const policy of this.book.find(request)) {
      if (await this.apply(policy, view)) {
        again = [...again, ...reinvocable];
        reinvocable = [];
      }
      if (asksAgain(policy)) reinvocable.push(policy);
    }
    for (const policy of again) await this.apply(policy, view);
  }

  /** Whether the policy changed the object. */
  private async apply(policy: Policy, view: RequestView): Promise<boolean> {
    let changed = false;
    let current: Binding | undefined;
    try {
      const matched = await matchRequest(policy.compiled.criteria, view);
      if (!matched) return false;
      for (const binding of policy.bindings) {
        current = binding;
        if (await matchRequest(binding.criteria, view))
          changed = (await this.applyBinding(policy.compiled, binding, matched, view)) || changed;
      }
      return changed;
    } catch (error) {
      const what = errorMessage(error);
      if (policy.compiled.spec.failurePolicy === 'Ignore') {
        this.options.log(`admission policy ${policy.name} could not be applied: ${what}`);
        return changed;
      }
      const by = current ? `policy '${policy.name}' with binding '${current.name}'` : `policy '${policy.name}'`;
      throw statusErrors.forbidden(view.request.resource, view.request.name, `${by} denied request: ${what}`);
    }
  }

  private async applyBinding(
    policy: CompiledMutatingPolicy,
    binding: Binding,
    matched: Resource,
    view: RequestView,
  ): Promise<boolean> {
    const { lookup } = this.options;
    const params = await paramsFor(lookup, policy.spec.paramKind, binding.spec.paramRef, view.request.namespace);
    if ('error' in params) throw new Error(`failed to configure binding: ${params.error}`);
    let changed = false;
    for (const param of params)
      for (const [index, mutation] of policy.mutations.entries()) {
        const { bindings, object } = await this.bindingsFor(policy, matched, view, param);
        if (index === 0) {
          const meets = meetsConditions(policy.conditions, bindings);
          if (meets === false) break;
          if (meets !== true) throw new Error(meets.error);
        }
        const next = mutatedObject(policy, mutation, bindings, matched, object, view.context.now);
        checkIdentity(object, next);
        changed = (await replaceObject(view, matched, object, next)) || changed;
      }
    return changed;
  }

  private async bindingsFor(policy: CompiledMutatingPolicy, matched: Resource, view: RequestView, param: unknown) {
    const objects = await view.objectsAs(matched);
    const namespace = policy.usesNamespace ? await view.namespaceObject() : undefined;
    const base = requestBindings(view, matched, objects, namespace, this.options.authorizer);
    const bindings = Object.defineProperty(base, 'params', { value: param, configurable: true, enumerable: true });
    return { bindings, object: objects.object! };
  }
}

const asksAgain = ({ compiled }: Policy): boolean => compiled.spec.reinvocationPolicy === 'IfNeeded';

/** A policy shapes an object; it does not make another one of it. */
function checkIdentity(before: Record<string, unknown>, after: Record<string, unknown>): void {
  const of = ({ apiVersion, kind, metadata }: Record<string, unknown>): object => {
    const { name, generateName, namespace, uid } = (metadata ?? {}) as Record<string, unknown>;
    return { apiVersion, kind, name, generateName, namespace, uid };
  };
  if (!jsonEqual(of(before), of(after))) throw new Error('a mutation may not change the type or the name of an object');
}
