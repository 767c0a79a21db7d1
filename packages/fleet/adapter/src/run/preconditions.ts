import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { errorMessage } from '@hypershift-ts/kube-apimachinery';
import type { CelValue } from '@hypershift-ts/kube-cel';
import { ApiCallError } from '../api-client/client.ts';
import type { CaptureConfig, PreconditionConfig } from '../config/task-config.ts';
import { withDoubles } from '../expression/index.ts';
import type { RunContext } from './context.ts';
import { fieldValue } from './field-path.ts';
import { satisfies } from './operators.ts';
import type { ParamValue } from './param-table.ts';
import { asIs, fromExpression, fromJson } from './param-table.ts';

export interface PreconditionResult {
  readonly name: string;
  readonly status: 'success' | 'failed' | 'skipped';
  readonly matched: boolean;
  readonly error?: string;
}

export type PreconditionsOutcome = { readonly results: readonly PreconditionResult[] } & (
  | { readonly kind: 'met' }
  | { readonly kind: 'notMet'; readonly reason: string }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly step: string; readonly cause: unknown }
);

/** Checks preconditions in order; the first that is not met ends the list. */
export async function checkPreconditions(context: RunContext): Promise<PreconditionsOutcome> {
  const results: PreconditionResult[] = [];
  for (const precondition of context.adapter.task.preconditions) {
    const { name } = precondition;
    try {
      await askApi(context, precondition);
      const reason = unmetReason(context, precondition);
      results.push({ name, status: 'success', matched: reason === undefined });
      context.logAction(precondition.log);
      if (reason !== undefined) return { kind: 'notMet', reason: `precondition '${name}' not met: ${reason}`, results };
    } catch (error) {
      if (error instanceof ApiCallError && error.isResourceGone) {
        results.push({ name, status: 'skipped', matched: false });
        return { kind: 'gone', results };
      }
      results.push({ name, status: 'failed', matched: false, error: errorMessage(error) });
      return { kind: 'failed', step: name, cause: error, results };
    }
  }
  return { kind: 'met', results };
}

async function askApi(context: RunContext, { name, api_call: call, capture }: PreconditionConfig): Promise<void> {
  const response = call ? await context.fetchObject(call) : undefined;
  if (response) context.params.set(name, fromJson(response));
  for (const one of capture ?? []) {
    const value = captured(context, one, name, response);
    if (value) context.params.set(one.name, value);
  }
}

/** A capture that leads nowhere or fails is null, so that conditions on it are simply not met. */
function captured(
  context: RunContext,
  capture: CaptureConfig,
  precondition: string,
  response: JsonObject | undefined,
): ParamValue | undefined {
  const value =
    capture.field === undefined
      ? capturedExpression(context, capture, precondition, response)
      : capturedField(context, capture.field, response);
  if (value !== undefined && value.json !== null) return value;
  return asIs(capture.default ?? null);
}

function capturedField(context: RunContext, field: string, response: JsonObject | undefined): ParamValue | undefined {
  const value = fieldValue(response ?? context.params.json(), field);
  return value === undefined ? undefined : fromJson(value);
}

function capturedExpression(
  context: RunContext,
  capture: CaptureConfig,
  precondition: string,
  response: JsonObject | undefined,
): ParamValue | undefined {
  const answer = response ? withDoubles(response) : undefined;
  const extra = answer ? { ...(answer as Record<string, CelValue>), [precondition]: answer } : {};
  const result = context.adapter.texts.expression(capture.expression ?? '').evaluate(context.bindings(extra));
  if (result.ok) return fromExpression(result.value);
  context.log('debug', `capture ${capture.name} of ${precondition}: ${result.message}`);
  return undefined;
}

/** Why a precondition is not met; undefined when it is. */
function unmetReason(context: RunContext, { conditions, expression }: PreconditionConfig): string | undefined {
  if (conditions) {
    const data = context.templateData();
    for (const { field, operator, value = null } of conditions) {
      const actual = fieldValue(data, field) ?? null;
      if (!satisfies(operator, actual, value)) return `${field} ${operator} ${shown(value)} (actual: ${shown(actual)})`;
    }
    return undefined;
  }
  if (expression === undefined) return undefined;
  const answer = context.adapter.texts.expression(expression).test(context.bindings());
  if (answer === true) return undefined;
  const why = answer === false ? 'evaluated to false' : `failed: ${answer.message}`;
  return `expression ${JSON.stringify(expression.trim())} ${why}`;
}

function shown(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}
