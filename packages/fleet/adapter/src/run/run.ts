import type { JsonObject, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { errorMessage } from '@hypershift-ts/kube-apimachinery';
import type { LoadedAdapter } from '../config/load.ts';
import type { RunDependencies } from './context.ts';
import { RunContext } from './context.ts';
import type { AdapterEvent } from './event.ts';
import { isTransient } from './failure.ts';
import { extractParams } from './params.ts';
import type { PostActionResult } from './post-actions.ts';
import { performPostActions } from './post-actions.ts';
import type { PreconditionResult } from './preconditions.ts';
import { checkPreconditions } from './preconditions.ts';
import type { ResourceResult } from './resources.ts';
import { processResources } from './resources.ts';
import type { Phase } from './state.ts';

const RESOURCE_NOT_FOUND = 'ResourceNotFound';

const REASONS: Readonly<Record<Phase, string>> = {
  param_extraction: 'ParameterExtractionFailed',
  preconditions: 'PreconditionFailed',
  resources: 'ResourceFailed',
  post_actions: 'PostActionFailed',
};

/** What became of one event. */
export interface RunResult {
  readonly event: AdapterEvent;
  readonly status: 'success' | 'failed';
  /** Why resources were not touched, if they were not. */
  readonly skipReason?: string;
  readonly params: JsonObject;
  readonly preconditions: readonly PreconditionResult[];
  readonly resources: readonly ResourceResult[];
  readonly discoveredResources: Readonly<Record<string, UnstructuredObject>>;
  readonly postActions: readonly PostActionResult[];
  readonly errors: Partial<Record<Phase, string>>;
  /** Whether the same event may succeed later, so that it should be delivered again. */
  readonly retry: 'never' | 'backoff';
}

/**
 * Handles one event: parameters, preconditions, resources, post actions. Never throws: what goes wrong is part of the
 * result, and is visible to the expressions of the post actions, which run in every case but one: when the resource is gone.
 */
export async function runTask(
  adapter: LoadedAdapter,
  event: AdapterEvent,
  dependencies: RunDependencies,
): Promise<RunResult> {
  return new Run(new RunContext(adapter, event, dependencies)).perform();
}

class Run {
  private readonly context: RunContext;
  private readonly errors: Partial<Record<Phase, string>> = {};
  private readonly causes: unknown[] = [];
  private preconditions: readonly PreconditionResult[] = [];
  private resources: readonly ResourceResult[] = [];
  private postActions: readonly PostActionResult[] = [];
  private skipReason: string | undefined;

  constructor(context: RunContext) {
    this.context = context;
  }

  async perform(): Promise<RunResult> {
    if ((await this.prepare()) === 'gone') {
      this.skipReason = RESOURCE_NOT_FOUND;
      this.context.log('info', 'the resource does not exist any more; nothing to do');
      return this.result();
    }
    const outcome = await performPostActions(this.context);
    this.postActions = outcome.results;
    if (outcome.gone) this.skipReason = RESOURCE_NOT_FOUND;
    if (outcome.failure) this.fail('post_actions', outcome.failure.step, outcome.failure.cause);
    return this.result();
  }

  /** Everything before the post actions. */
  private async prepare(): Promise<'gone' | 'done'> {
    const params = await extractParams(this.context);
    if (params.kind === 'gone') return 'gone';
    if (params.kind === 'failed') {
      this.fail('param_extraction', params.param, params.cause);
      return 'done';
    }
    const checked = await checkPreconditions(this.context);
    this.preconditions = checked.results;
    if (checked.kind === 'gone') return 'gone';
    if (checked.kind === 'failed') this.fail('preconditions', checked.step, checked.cause);
    else if (checked.kind === 'notMet') {
      this.skipReason = checked.reason;
      this.context.state.skip(checked.reason);
    } else await this.process();
    return 'done';
  }

  private async process(): Promise<void> {
    const { results, failures } = await processResources(this.context);
    this.resources = results;
    for (const { step, cause } of failures) this.fail('resources', step, cause);
  }

  private fail(phase: Phase, step: string, cause: unknown): void {
    const message = errorMessage(cause);
    this.context.state.fail({ phase, step, message }, REASONS[phase]);
    this.errors[phase] =
      this.errors[phase] === undefined ? `${step}: ${message}` : `${this.errors[phase]}; ${step}: ${message}`;
    this.causes.push(cause);
    this.context.log('error', `${phase} failed at ${step}: ${message}`);
  }

  private result(): RunResult {
    const { context, skipReason } = this;
    return {
      event: context.event,
      status: this.causes.length > 0 ? 'failed' : 'success',
      ...(skipReason === undefined ? {} : { skipReason }),
      params: context.params.json(),
      preconditions: this.preconditions,
      resources: this.resources,
      discoveredResources: Object.fromEntries(context.resources),
      postActions: this.postActions,
      errors: this.errors,
      retry: this.causes.some(isTransient) ? 'backoff' : 'never',
    };
  }
}
