import type { RequestContext } from '../../request/context.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import type { Lookup } from '../lookup.ts';
import { RequestView } from '../matching/request-view.ts';
import { type CallOptions, callHook, matchHook } from './call.ts';
import { HookBook, type HookBookOptions } from './hook-book.ts';

/** Validating webhooks: all that match are asked at the same time, any of them may refuse. */
export class ValidatingWebhooks {
  readonly plugin: AdmissionPlugin;
  private readonly book: HookBook;
  private readonly options: CallOptions;
  private readonly lookup: Lookup;

  constructor(options: CallOptions & HookBookOptions) {
    this.options = options;
    this.lookup = options.lookup;
    this.book = new HookBook(options, 'validatingwebhookconfigurations');
    this.plugin = {
      name: 'ValidatingAdmissionWebhook',
      handles: (request) => this.book.find(request).length > 0,
      validate: (request, context) => this.validate(request, context),
    };
  }

  start(): Promise<void> {
    return this.book.start();
  }

  stop(): void {
    this.book.stop();
  }

  private async validate(request: AdmissionRequest, context: RequestContext): Promise<void> {
    const view = new RequestView(request, context, this.lookup);
    const calls: Promise<void>[] = [];
    for (const hook of this.book.find(request)) {
      const matched = await matchHook(hook, view, this.options.authorizer);
      if (!matched) continue;
      const index = calls.length;
      calls.push(
        callHook(this.options, hook, view, matched, false).then((response) => {
          if (!response)
            context.auditAnnotation(
              `failed-open.validating.webhook.admission.k8s.io/round_0_index_${index}`,
              hook.webhook.name,
            );
        }),
      );
    }
    for (const outcome of await Promise.allSettled(calls)) if (outcome.status === 'rejected') throw outcome.reason;
  }
}
