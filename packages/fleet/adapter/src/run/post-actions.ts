import { errorMessage } from '@hypershift-ts/kube-apimachinery';
import { ApiCallError } from '../api-client/client.ts';
import type { PostActionConfig } from '../config/task-config.ts';
import type { RunContext } from './context.ts';
import { asIs } from './param-table.ts';
import { buildPayload } from './payload.ts';

export interface PostActionResult {
  readonly name: string;
  readonly status: 'success' | 'failed' | 'skipped';
  readonly skipped?: boolean;
  readonly skipReason?: string;
  readonly error?: string;
}

export interface PostOutcome {
  readonly results: readonly PostActionResult[];
  readonly failure?: { readonly step: string; readonly cause: unknown };
  /** An action found out that the resource is gone. */
  readonly gone?: boolean;
}

/** Builds the payloads and performs the actions in order; the first failure ends them. */
export async function performPostActions(context: RunContext): Promise<PostOutcome> {
  let missing: ReadonlySet<string>;
  try {
    missing = buildPayloads(context);
  } catch (cause) {
    return { results: [], failure: { step: 'build_payloads', cause } };
  }
  const results: PostActionResult[] = [];
  for (const action of context.adapter.task.post.post_actions) {
    try {
      results.push(await perform(context, action, missing));
    } catch (cause) {
      const { name } = action;
      if (cause instanceof ApiCallError && cause.isResourceGone) {
        results.push({ name, status: 'skipped', skipped: true, skipReason: 'ResourceNotFound' });
        return { results, gone: true };
      }
      results.push({ name, status: 'failed', error: errorMessage(cause) });
      return { results, failure: { step: name, cause } };
    }
  }
  return { results };
}

/** Builds what is wanted in this run; returns the names of those that are not. */
function buildPayloads(context: RunContext): ReadonlySet<string> {
  const missing = new Set<string>();
  for (const { name, build = null, when } of context.adapter.task.post.payloads) {
    if (when && !context.test(when.expression, `the when of payload ${name}`)) missing.add(name);
    // Templates would print a map in Go's way, so a payload is kept as the text it is sent as.
    else context.params.set(name, asIs(JSON.stringify(buildPayload(context, build))));
  }
  return missing;
}

async function perform(
  context: RunContext,
  action: PostActionConfig,
  missing: ReadonlySet<string>,
): Promise<PostActionResult> {
  const { name, when, log, api_call: call } = action;
  const skip = (skipReason: string): PostActionResult => ({ name, status: 'skipped', skipped: true, skipReason });
  const unbuilt = call?.body === undefined ? undefined : missingIn(context, call.body, missing);
  if (unbuilt !== undefined) return skip(`referenced payload '${unbuilt}' was skipped`);
  if (when && !context.test(when.expression, 'the when condition'))
    return skip(`when condition evaluated to false: ${when.expression.trim()}`);
  context.logAction(log);
  if (call) await context.call(call);
  return { name, status: 'success' };
}

function missingIn(context: RunContext, body: string, missing: ReadonlySet<string>): string | undefined {
  if (missing.size === 0) return undefined;
  return context.adapter.texts
    .template(body)
    .references()
    .map(({ name }) => name)
    .find((name) => missing.has(name));
}
