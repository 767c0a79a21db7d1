import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import type { RunResult } from '../run/run.ts';
import type { RecordedRequest } from './api-mock.ts';
import type { RecordedOperation } from './memory-transport.ts';

/** What a dry run did, in the form it is printed as JSON. */
export interface Trace {
  readonly event: { readonly id: string; readonly type: string };
  readonly status: RunResult['status'];
  readonly skipReason?: string;
  readonly params?: JsonObject;
  readonly preconditions?: RunResult['preconditions'];
  readonly resources?: RunResult['resources'];
  readonly discoveredResources?: RunResult['discoveredResources'];
  readonly postActions?: RunResult['postActions'];
  readonly errors?: RunResult['errors'];
  readonly apiRequests?: readonly RecordedRequest[];
  readonly transportOperations?: readonly RecordedOperation[];
}

/** Bodies of requests and discovered objects are long, so they are shown only when asked for. */
export function traceOf(
  result: RunResult,
  requests: readonly RecordedRequest[],
  operations: readonly RecordedOperation[],
  verbose: boolean,
): Trace {
  const shown = verbose
    ? requests
    : requests.map(({ requestBody: _sent, responseBody: _received, ...request }) => request);
  return {
    event: { id: result.event.id, type: result.event.type },
    status: result.status,
    ...(result.skipReason === undefined ? {} : { skipReason: result.skipReason }),
    params: result.params,
    preconditions: result.preconditions,
    resources: result.resources.map(({ discoveredState, ...resource }) =>
      verbose && discoveredState ? { ...resource, discoveredState } : resource,
    ),
    ...(verbose ? { discoveredResources: result.discoveredResources } : {}),
    postActions: result.postActions,
    ...(Object.keys(result.errors).length > 0 ? { errors: result.errors } : {}),
    apiRequests: shown,
    transportOperations: operations,
  };
}

/** The trace for people. */
export function traceText(trace: Trace): string {
  const lines = [
    'Dry-Run Execution Trace',
    '========================',
    `Event: id=${trace.event.id} type=${trace.event.type}`,
    '',
    ...section('Phase 1: Parameter Extraction', trace.errors?.param_extraction, paramLines(trace.params ?? {})),
    ...section('Phase 2: Preconditions', trace.errors?.preconditions, preconditionLines(trace)),
    ...section('Phase 3: Resources', trace.errors?.resources, resourceLines(trace)),
    ...section('Phase 4: Post Actions', trace.errors?.post_actions, postLines(trace)),
    `Result: ${trace.status.toUpperCase()}${trace.skipReason === undefined ? '' : ` (${trace.skipReason})`}`,
  ];
  return `${lines.join('\n')}\n`;
}

function section(title: string, error: string | undefined, lines: readonly string[]): readonly string[] {
  const dots = '.'.repeat(Math.max(3, 44 - title.length));
  const failed = error === undefined ? [] : [`  Error: ${error}`];
  return [`${title} ${dots} ${error === undefined ? 'SUCCESS' : 'FAILED'}`, ...lines, ...failed, ''];
}

function paramLines(params: JsonObject): readonly string[] {
  return Object.entries(params).map(([name, value]) => {
    const text = JSON.stringify(value);
    return `  ${name.padEnd(16)} = ${text.length > 160 ? `${text.slice(0, 157)}...` : text}`;
  });
}

function numbered<T extends { readonly name: string }>(items: readonly T[], status: (item: T) => string): string[] {
  return items.map((item, i) => `  [${i + 1}/${items.length}] ${item.name.padEnd(30)} ${status(item)}`);
}

function preconditionLines({ preconditions = [] }: Trace): readonly string[] {
  return numbered(preconditions, ({ status, matched, error }) => {
    if (error !== undefined) return `FAILED: ${error}`;
    return status === 'skipped' ? 'SKIPPED' : matched ? 'MET' : 'NOT MET';
  });
}

function resourceLines({ resources = [], discoveredResources = {} }: Trace): readonly string[] {
  const lines = numbered(resources, ({ status, operation, reason, error, kind, namespace, resourceName }) => {
    const place = [namespace, resourceName].filter(Boolean).join('/');
    const what = kind === undefined ? '' : ` ${kind} ${place}`;
    const why = error ?? reason;
    return `${(operation ?? status).toUpperCase()}${what}${why === undefined ? '' : `: ${why}`}`;
  });
  const found = Object.entries(discoveredResources).map(([name, object]) => `    ${name}: ${JSON.stringify(object)}`);
  return found.length === 0 ? lines : [...lines, '  Discovered:', ...found];
}

function postLines({ postActions = [], apiRequests = [] }: Trace): readonly string[] {
  const actions = numbered(postActions, ({ status, skipReason, error }) => {
    const why = error ?? skipReason;
    return `${status.toUpperCase()}${why === undefined ? '' : `: ${why}`}`;
  });
  const requests = apiRequests.flatMap(({ method, url, statusCode, requestBody, responseBody }) => [
    `    ${method} ${url} -> ${statusCode}`,
    ...(requestBody === undefined ? [] : [`      request:  ${requestBody}`]),
    ...(responseBody === undefined ? [] : [`      response: ${responseBody}`]),
  ]);
  return requests.length === 0 ? actions : [...actions, '  API requests of the whole run:', ...requests];
}
