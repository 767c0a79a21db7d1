import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { RETRY_BACKOFFS } from './adapter-config.ts';
import type { MapReader } from '@hypershift-ts/fleet-settings';
import { compact } from '@hypershift-ts/fleet-settings';
import { readResource } from './read-resource.ts';
import type {
  ApiCallConfig,
  CaptureConfig,
  ConditionConfig,
  ConditionOperator,
  LogConfig,
  ParamConfig,
  ParamSource,
  PayloadConfig,
  PostActionConfig,
  PostConfig,
  PreconditionConfig,
  TaskConfig,
} from './task-config.ts';

const NAME = /^[a-z][a-zA-Z0-9_]*$/;

const OPERATORS: readonly ConditionOperator[] = [
  'equals',
  'notEquals',
  'in',
  'notIn',
  'contains',
  'greaterThan',
  'greaterThanOrEqual',
  'lessThan',
  'lessThanOrEqual',
  'exists',
  'notExists',
];

/** Reads the canonical form; everything wrong is reported to the reader's problems. */
export function readTaskConfig(root: MapReader): TaskConfig {
  const task: TaskConfig = {
    params: root.maps('params', readParam),
    preconditions: root.maps('preconditions', readPrecondition),
    resources: root.maps('resources', (resource) => readResource(resource, nameOf)),
    post: readPost(root.section('post')),
  };
  root.end();
  unique(root, 'params', task.params);
  unique(root, 'preconditions', task.preconditions);
  unique(root, 'resources', task.resources);
  return task;
}

function unique(root: MapReader, key: string, items: readonly { readonly name: string }[]): void {
  const seen = new Set<string>();
  items.forEach(({ name }, i) => {
    if (name !== '' && seen.has(name))
      root.problems.add([...root.path, key, i, 'name'], `the name ${JSON.stringify(name)} is taken`);
    seen.add(name);
  });
}

/** A name that expressions can use. */
function nameOf(reader: MapReader): string {
  const name = reader.required('name');
  if (name !== '' && !NAME.test(name)) reader.problem('name', `${JSON.stringify(name)} does not match ${NAME.source}`);
  return name;
}

function readParam(param: MapReader): ParamConfig {
  return compact({
    name: param.required('name'),
    source: readSource(param),
    type: param.choice('type', ['string', 'int', 'int64', 'float', 'float64', 'bool']),
    required: param.bool('required'),
    default: param.raw('default'),
    description: param.string('description'),
  }) as ParamConfig;
}

function readSource(param: MapReader): ParamSource {
  const value = param.raw('source');
  if (typeof value === 'string' && value !== '') return value;
  const source = isJsonObject(value) ? param.section('source') : undefined;
  if (!source) {
    param.problem('source', 'is required: a path such as event.id, or a map with api_call, expression or file');
    return '';
  }
  const api_call = readApiCall(source);
  const expression = source.string('expression');
  const file = source.section('file');
  const read = file && { path: file.required('path'), trim: file.bool('trim') ?? true };
  file?.end();
  source.end();
  const given = [api_call && { api_call }, expression !== undefined && { expression }, read && { file: read }];
  const [first, ...others] = given.filter((one): one is Exclude<ParamSource, string> => Boolean(one));
  if (!first || others.length > 0) param.problem('source', 'needs exactly one of api_call, expression and file');
  return first ?? '';
}

/** The `api_call` of a map that may have one. */
function readApiCall(holder: MapReader): ApiCallConfig | undefined {
  const call = holder.section('api_call');
  if (!call) return undefined;
  const headers = call.maps('headers', (header) => ({
    name: header.required('name'),
    value: header.string('value') ?? '',
  }));
  const read = compact({
    method: call.choice('method', ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    url: call.required('url'),
    timeout: call.duration('timeout'),
    retry_attempts: call.integer('retry_attempts', { max: 100 }),
    retry_backoff: call.choice('retry_backoff', RETRY_BACKOFFS),
    headers: headers.length > 0 ? headers : undefined,
    body: call.string('body'),
  });
  if (!call.has('method')) call.problem('method', 'is required');
  call.end();
  return read as ApiCallConfig;
}

function readPrecondition(reader: MapReader): PreconditionConfig {
  const conditions = reader.maps('conditions', readCondition);
  const capture = reader.maps('capture', readCapture);
  const read = compact({
    name: nameOf(reader),
    api_call: readApiCall(reader),
    capture: capture.length > 0 ? capture : undefined,
    conditions: conditions.length > 0 ? conditions : undefined,
    expression: reader.string('expression'),
    log: readLog(reader),
  }) as PreconditionConfig;
  if (read.conditions && read.expression !== undefined)
    reader.problem('expression', 'cannot stand beside conditions; put the conditions into the expression');
  return read;
}

function readCapture(capture: MapReader): CaptureConfig {
  const read = compact({
    name: capture.required('name'),
    field: capture.string('field'),
    expression: capture.string('expression'),
    default: capture.raw('default'),
  }) as CaptureConfig;
  if ((read.field === undefined) === (read.expression === undefined))
    capture.problem('field', 'exactly one of field and expression is needed');
  return read;
}

function readCondition(condition: MapReader): ConditionConfig {
  const operator = condition.choice('operator', OPERATORS);
  if (!condition.has('operator')) condition.problem('operator', 'is required');
  const [value, values] = [condition.rawOrNull('value'), condition.rawOrNull('values')];
  const given = value === undefined ? values : value;
  if (value !== undefined && values !== undefined) condition.problem('values', 'cannot stand beside value');
  if (operator === 'exists' || operator === 'notExists') {
    if (given !== undefined) condition.problem('value', `${operator} takes no value`);
  } else if (operator !== undefined && given === undefined) {
    condition.problem('value', `${operator} needs a value`);
  } else if ((operator === 'in' || operator === 'notIn') && !Array.isArray(given)) {
    condition.problem('value', `${operator} needs a list`);
  }
  return compact({ field: condition.required('field'), operator, value: given }) as ConditionConfig;
}

function readLog(holder: MapReader): LogConfig | undefined {
  const log = holder.section('log');
  if (!log) return undefined;
  const level = log.choice('level', ['debug', 'info', 'warn', 'warning', 'error']);
  const read = compact({ message: log.required('message'), level: level === 'warn' ? 'warning' : level });
  log.end();
  return read as LogConfig;
}

function readPost(post: MapReader | undefined): PostConfig {
  if (!post) return { payloads: [], post_actions: [] };
  const read: PostConfig = {
    payloads: post.maps('payloads', readPayload),
    post_actions: post.maps('post_actions', readPostAction),
  };
  post.end();
  unique(post, 'payloads', read.payloads);
  unique(post, 'post_actions', read.post_actions);
  return read;
}

function readWhen(holder: MapReader): { readonly expression: string } | undefined {
  const when = holder.section('when');
  if (!when) return undefined;
  const read = { expression: when.required('expression') };
  when.end();
  return read;
}

function readPayload(payload: MapReader): PayloadConfig {
  const read = compact({
    name: payload.required('name'),
    build: payload.raw('build'),
    build_ref: payload.string('build_ref'),
    when: readWhen(payload),
  }) as PayloadConfig;
  if ((read.build === undefined) === (read.build_ref === undefined))
    payload.problem('build', 'exactly one of build and build_ref is needed');
  return read;
}

function readPostAction(action: MapReader): PostActionConfig {
  const read = compact({
    name: nameOf(action),
    when: readWhen(action),
    log: readLog(action),
    api_call: readApiCall(action),
  }) as PostActionConfig;
  if (!read.log && !read.api_call) action.problem('api_call', 'an action needs api_call or log');
  return read;
}
