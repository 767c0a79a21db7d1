import { open } from 'node:fs/promises';
import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { errorMessage, isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { ApiCallError } from '../api-client/client.ts';
import type { ParamConfig, ParamType } from '../config/task-config.ts';
import type { RunContext } from './context.ts';
import { PermanentError } from './failure.ts';
import { fieldValue } from './field-path.ts';
import type { ParamValue } from './param-table.ts';
import { asIs, fromExpression, fromJson } from './param-table.ts';

export type ParamsOutcome =
  | { readonly kind: 'done' }
  /** The resource that the event is about does not exist any more. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly param: string; readonly cause: unknown };

/** Extracts every parameter in order. A missing one that nobody requires is simply absent. */
export async function extractParams(context: RunContext): Promise<ParamsOutcome> {
  for (const param of context.adapter.task.params) {
    try {
      const value = await extract(context, param);
      if (value) context.params.set(param.name, value);
    } catch (error) {
      if (error instanceof ApiCallError && error.isResourceGone) return { kind: 'gone' };
      if (param.required) return { kind: 'failed', param: param.name, cause: error };
      context.log('debug', `parameter ${param.name}: ${errorMessage(error)}`);
      if (param.default !== undefined) context.params.set(param.name, asIs(param.default));
    }
  }
  return { kind: 'done' };
}

async function extract(context: RunContext, param: ParamConfig): Promise<ParamValue | undefined> {
  const { source, type, default: fallback } = param;
  const found = await read(context, param);
  const isEmpty = found === undefined || found.json === null || found.json === '';
  if (isEmpty && fallback === undefined) {
    if (param.required) throw new PermanentError(`${describe(param)} gives no value`);
    return found?.json === null ? undefined : found;
  }
  const value = isEmpty ? asIs(fallback!) : found!;
  const isConvertible = typeof source === 'string' || 'file' in source;
  return type && isConvertible ? convert(value.json, type) : value;
}

function describe({ source }: ParamConfig): string {
  return typeof source === 'string' ? source : `its ${Object.keys(source)[0]}`;
}

async function read(context: RunContext, { name, source }: ParamConfig): Promise<ParamValue | undefined> {
  if (typeof source === 'string') return fromPath(context, source);
  if ('api_call' in source) return fromJson(await context.fetchObject(source.api_call));
  if ('file' in source) return asIs(await fromFile(source.file));
  const result = context.adapter.texts.expression(source.expression).evaluate(context.bindings());
  if (!result.ok) throw new PermanentError(`the expression of ${name} failed: ${result.message}`);
  return fromExpression(result.value);
}

function fromPath(context: RunContext, source: string): ParamValue | undefined {
  const [root = '', ...rest] = source.split('.');
  const path = rest.join('.');
  if (root === 'env' && path !== '') {
    const value = context.environment(path);
    if (value === undefined) throw new PermanentError(`the environment variable ${path} is not set`);
    return asIs(value);
  }
  if (root === 'event' && path !== '') return valueAt(context.event.data, path);
  if (root === 'config' && path !== '') return valueAt(context.adapter.config as unknown as JsonObject, path);
  const param = context.params.get(root);
  // Unqualified names are fields of the event, as the first configurations had them.
  if (!param) return valueAt(context.event.data, source);
  if (path === '') return param;
  if (!isJsonObject(param.json))
    throw new PermanentError(`the parameter ${root} is no map, so ${source} cannot be read`);
  return valueAt(param.json, path);
}

function valueAt(root: JsonObject, path: string): ParamValue {
  const value = fieldValue(root, path);
  if (value === undefined) throw new PermanentError(`the field ${path} does not exist`);
  return fromJson(value);
}

const mostOfFile = 1024 * 1024;

/** Read at every event, since tokens rotate. */
async function fromFile({ path, trim }: { readonly path: string; readonly trim: boolean }): Promise<string> {
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(mostOfFile + 1);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    if (bytesRead > mostOfFile) throw new PermanentError(`${path} is larger than ${mostOfFile} bytes`);
    const text = buffer.toString('utf8', 0, bytesRead);
    return trim ? text.trim() : text;
  } finally {
    await file.close();
  }
}

const TRUE = new Set(['true', 'yes', 'on', '1', 't', 'y']);
const FALSE = new Set(['false', 'no', 'off', '0', 'f', 'n', '']);

/** A value in the type that the parameter asks for. */
function convert(value: JsonValue, type: ParamType): ParamValue {
  const refuse = (): never => {
    throw new PermanentError(`${JSON.stringify(value)} is no ${type}`);
  };
  switch (type) {
    case 'string':
      return asIs(typeof value === 'string' ? value : JSON.stringify(value));
    case 'int':
    case 'int64': {
      const number = numberOf(value) ?? refuse();
      return asIs(Math.trunc(number));
    }
    case 'float':
    case 'float64':
      return fromJson(numberOf(value) ?? refuse());
    case 'bool': {
      if (typeof value === 'boolean') return asIs(value);
      const text = String(value as string | number).toLowerCase();
      return TRUE.has(text) ? asIs(true) : FALSE.has(text) ? asIs(false) : refuse();
    }
    default:
      return type satisfies never;
  }
}

function numberOf(value: JsonValue): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
