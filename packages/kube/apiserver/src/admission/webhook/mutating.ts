import { applyJsonPatch, jsonClone, jsonEqual, StatusError, statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../../kinds/behaviour.ts';
import type { RequestContext } from '../../request/context.ts';
import type { Resource } from '../../resource/resource.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import type { Lookup } from '../lookup.ts';
import { RequestView } from '../matching/request-view.ts';
import { replaceObject } from '../replace-object.ts';
import { type CallOptions, callHook, matchHook } from './call.ts';
import { type Hook, HookBook, type HookBookOptions } from './hook-book.ts';

export interface MutatingWebhookOptions extends CallOptions, HookBookOptions {
  /** Runs the mutating plugins before the webhooks once more, after a webhook changed the object. */
  readonly rerun: (request: AdmissionRequest, context: RequestContext) => Promise<void>;
}

/** Mutating webhooks, one after the other by name; those that ask for it see what later ones changed. */
export class MutatingWebhooks {
  readonly plugin: AdmissionPlugin;
  private readonly book: HookBook;
  private readonly options: MutatingWebhookOptions;
  private readonly lookup: Lookup;

  constructor(options: MutatingWebhookOptions) {
    this.options = options;
    this.lookup = options.lookup;
    this.book = new HookBook(options, 'mutatingwebhookconfigurations');
    this.plugin = {
      name: 'MutatingAdmissionWebhook',
      handles: (request) => this.book.find(request).length > 0,
      mutate: (request, context) => this.mutate(request, context),
    };
  }

  start(): Promise<void> {
    return this.book.start();
  }

  stop(): void {
    this.book.stop();
  }

  private async mutate(request: AdmissionRequest, context: RequestContext): Promise<void> {
    const view = new RequestView(request, context, this.lookup);
    const hooks = this.book.find(request);
    const first = await this.round(hooks, view, 0);
    if (!first.changed) return;
    const before = jsonClone(request.object);
    await this.options.rerun(request, context);
    view.forgetVersions();
    const again = jsonEqual(before, request.object) ? first.again : new Set([...first.again, ...first.reinvocable]);
    if (again.size > 0)
      await this.round(
        hooks.filter((hook) => again.has(hook)),
        view,
        1,
      );
  }

  /** Calls the hooks in order; tells which of them have not seen the last change. */
  private async round(hooks: readonly Hook[], view: RequestView, round: number) {
    const again = new Set<Hook>();
    let reinvocable = new Set<Hook>();
    let changed = false;
    let index = 0;
    for (const hook of hooks) {
      const matched = await matchHook(hook, view, this.options.authorizer);
      if (!matched) continue;
      if (await this.callOne(hook, view, matched, round, index++)) {
        changed = true;
        for (const earlier of reinvocable) again.add(earlier);
        reinvocable = new Set();
      }
      if (hook.webhook.reinvocationPolicy === 'IfNeeded') reinvocable.add(hook);
    }
    return { changed, again, reinvocable };
  }

  private async callOne(
    hook: Hook,
    view: RequestView,
    matched: Resource,
    round: number,
    index: number,
  ): Promise<boolean> {
    const { webhook, configuration } = hook;
    const response = await callHook(this.options, hook, view, matched, true);
    const place = `round_${round}_index_${index}`;
    if (!response) view.context.auditAnnotation(`failed-open.mutation.webhook.admission.k8s.io/${place}`, webhook.name);
    const mutated = response?.patch !== undefined && (await applyPatch(view, matched, response.patch));
    view.context.auditAnnotation(
      `mutation.webhook.admission.k8s.io/${place}`,
      JSON.stringify({ configuration, webhook: webhook.name, mutated }),
    );
    return mutated;
  }
}

/** Patches the object in the version the webhook saw, and takes it back to the version of the request. */
async function applyPatch(view: RequestView, matched: Resource, patch: unknown): Promise<boolean> {
  const { object } = await view.objectsAs(matched);
  if (Array.isArray(patch) && patch.length === 0) return false;
  if (!object)
    throw statusErrors.internal(
      `admission webhook attempted to modify the object, which is not supported for this operation`,
    );
  let patched: Draft;
  try {
    patched = jsonClone(applyJsonPatch(object, patch));
  } catch (error) {
    throw error instanceof StatusError ? statusErrors.internal(error.message) : error;
  }
  return replaceObject(view, matched, object, patched);
}
