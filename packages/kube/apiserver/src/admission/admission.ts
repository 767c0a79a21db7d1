import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../kinds/behaviour.ts';
import type { RequestContext } from '../request/context.ts';
import type { Resource } from '../resource/resource.ts';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** One request as admission sees it. */
export interface AdmissionRequest {
  readonly operation: AdmissionOperation;
  readonly resource: Resource;
  readonly subresource: string;
  readonly namespace: string;
  /** May be empty on create with generateName. */
  readonly name: string;
  /** The new object; mutating plugins edit it in place. Absent on DELETE and CONNECT. */
  object?: Draft;
  readonly oldObject?: UnstructuredObject;
  /** The options object of the request (CreateOptions, UpdateOptions, PatchOptions, DeleteOptions). */
  readonly options: UnstructuredObject | undefined;
  readonly dryRun: boolean;
}

/**
 * One admission rule. `mutate` may edit request.object; `validate` may only refuse (throw StatusError) or warn
 * through the context.
 */
export interface AdmissionPlugin {
  readonly name: string;
  readonly handles: (request: AdmissionRequest) => boolean;
  readonly mutate?: (request: AdmissionRequest, context: RequestContext) => void | Promise<void>;
  readonly validate?: (request: AdmissionRequest, context: RequestContext) => void | Promise<void>;
}

/** The plugins of one server in order: all mutate first, then all validate. */
export class AdmissionChain {
  private readonly plugins: readonly AdmissionPlugin[];

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.plugins = plugins;
  }

  /** Answers a promise only when a plugin had to wait: most requests meet none that does. */
  mutate(request: AdmissionRequest, context: RequestContext): void | Promise<void> {
    return this.run('mutate', request, context, 0);
  }

  validate(request: AdmissionRequest, context: RequestContext): void | Promise<void> {
    return this.run('validate', request, context, 0);
  }

  private run(
    phase: 'mutate' | 'validate',
    request: AdmissionRequest,
    context: RequestContext,
    from: number,
  ): void | Promise<void> {
    for (let i = from; i < this.plugins.length; i++) {
      const plugin = this.plugins[i] as AdmissionPlugin;
      if (!plugin[phase] || !plugin.handles(request)) continue;
      const pending = plugin[phase](request, context);
      if (pending) return pending.then(() => this.run(phase, request, context, i + 1));
    }
  }
}
