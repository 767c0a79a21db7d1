import { randomUUID } from 'node:crypto';
import { StatusError, statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { Authorizer } from '../../authorization/index.ts';
import type { Resource } from '../../resource/resource.ts';
import { requestBindings } from '../expressions/bindings.ts';
import { meetsConditions } from '../expressions/match-conditions.ts';
import { matchRequest } from '../matching/criteria.ts';
import type { RequestView } from '../matching/request-view.ts';
import type { WebhookClient } from '../webhook-client/index.ts';
import type { Hook } from './hook-book.ts';
import { denialOf, readResponse, type ReviewResponse, reviewOf } from './review.ts';

export interface CallOptions {
  readonly client: WebhookClient;
  readonly authorizer: Authorizer;
  readonly log: (message: string, error?: unknown) => void;
}

/** Whether the webhook is to be asked about this request, and in which version. Throws when that cannot be told. */
export async function matchHook(hook: Hook, view: RequestView, authorizer: Authorizer): Promise<Resource | undefined> {
  const matched = await matchRequest(hook.criteria, view);
  if (!matched || hook.conditions.length === 0) return matched;
  const bindings = requestBindings(view, matched, await view.objectsAs(matched), undefined, authorizer);
  const meets = meetsConditions(hook.conditions, bindings);
  if (meets === true) return matched;
  if (meets === false || hook.webhook.failurePolicy === 'Ignore') return undefined;
  throw statusErrors.forbidden(view.request.resource, view.request.name, meets.error);
}

/**
 * Asks one webhook. Throws its refusal, or the failure to ask it when the failure policy says so; undefined when a
 * failure is to be ignored.
 */
export async function callHook(
  { client, log }: CallOptions,
  { webhook }: Hook,
  view: RequestView,
  matched: Resource,
  mutating: boolean,
): Promise<ReviewResponse | undefined> {
  const { name } = webhook;
  if (view.request.dryRun && webhook.sideEffects !== 'None' && webhook.sideEffects !== 'NoneOnDryRun')
    throw statusErrors.badRequest(`admission webhook ${JSON.stringify(name)} does not support dry run`);
  let response: ReviewResponse;
  try {
    response = await ask(client, webhook, view, matched, mutating);
  } catch (error) {
    if (error instanceof StatusError) throw error;
    const failure = `failed calling webhook ${JSON.stringify(name)}: ${(error as Error).message}`;
    if (webhook.failurePolicy === 'Ignore') {
      log(failure);
      return undefined;
    }
    throw statusErrors.internal(failure, { cause: error });
  }
  for (const warning of response.warnings) view.context.warn(warning);
  for (const [key, value] of Object.entries(response.auditAnnotations))
    if (typeof value === 'string') view.context.auditAnnotation(`${name}/${key}`, value);
  if (!response.allowed) throw denialOf(name, response.status);
  return response;
}

async function ask(
  client: WebhookClient,
  { clientConfig, timeoutSeconds = 10 }: Hook['webhook'],
  view: RequestView,
  matched: Resource,
  mutating: boolean,
): Promise<ReviewResponse> {
  const uid = randomUUID();
  const review = reviewOf(uid, view, matched, await view.objectsAs(matched));
  let answer: unknown;
  try {
    answer = await client.post(clientConfig, {
      body: review,
      timeoutMs: timeoutSeconds * 1000,
      signal: view.context.signal,
    });
  } catch (error) {
    throw new Error(`failed to call webhook: ${(error as Error).message}`, { cause: error });
  }
  return readResponse(answer, uid, mutating);
}
