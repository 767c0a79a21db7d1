import type { JsonObject } from '@hypershift-ts/kube-apimachinery';

export type Phase = 'param_extraction' | 'preconditions' | 'resources' | 'post_actions';

export interface ExecutionError {
  readonly phase: Phase;
  readonly step: string;
  readonly message: string;
}

/** What expressions see as `adapter`: how the run went so far. */
export class AdapterState {
  private failure: { readonly error: ExecutionError; readonly reason: string } | undefined;
  private skipReason: string | undefined;
  private skipped = false;
  private readonly resourceErrors: Record<string, string> = {};

  /** The first failure counts; later ones are usually its consequence. */
  fail(error: ExecutionError, reason: string): void {
    this.failure ??= { error, reason };
  }

  failResource(name: string, message: string): void {
    this.resourceErrors[name] = message;
  }

  skip(reason: string): void {
    this.skipped = true;
    this.skipReason ??= reason;
  }

  get hasFailed(): boolean {
    return this.failure !== undefined;
  }

  /** What is empty is left out, so that both `has()` and optional access tell whether there was an error. */
  view(identity: { readonly name: string; readonly version?: string }): JsonObject {
    return {
      name: identity.name,
      version: identity.version ?? '',
      executionStatus: this.failure ? 'failed' : 'success',
      resourcesSkipped: this.skipped,
      ...(this.skipReason === undefined ? {} : { skipReason: this.skipReason }),
      ...(this.failure
        ? {
            errorReason: this.failure.reason,
            errorMessage: this.failure.error.message,
            executionError: { ...this.failure.error },
          }
        : {}),
      ...(Object.keys(this.resourceErrors).length > 0 ? { resourceErrors: { ...this.resourceErrors } } : {}),
    };
  }
}
