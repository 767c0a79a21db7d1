import { isJsonObject, type JsonObject, type JsonValue } from '@hypershift-ts/kube-apimachinery';
import { invalid, malformed } from '../errors/index.ts';

const names = { string: 'a string', number: 'a number', object: 'an object', array: 'an array' } as const;

function typeOf(value: JsonValue): string {
  return Array.isArray(value) ? 'array' : typeof value;
}

function expectType<T extends JsonValue>(value: JsonValue, type: keyof typeof names, path: string): T {
  if (typeOf(value) !== type) throw invalid(`field '${path}' must be ${names[type]}`);
  return value as T;
}

/** One member of a body: undefined when absent or null, a 400 naming the field when it has another type. */
function member<T extends JsonValue>(
  body: JsonObject,
  name: string,
  type: keyof typeof names,
  prefix = '',
): T | undefined {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  return value === undefined || value === null ? undefined : expectType<T>(value, type, prefix + name);
}

export const stringMember = (body: JsonObject, name: string, prefix?: string) =>
  member<string>(body, name, 'string', prefix);
export const numberMember = (body: JsonObject, name: string, prefix?: string) =>
  member<number>(body, name, 'number', prefix);
export const objectMember = (body: JsonObject, name: string, prefix?: string) =>
  member<JsonObject>(body, name, 'object', prefix);
export const arrayMember = (body: JsonObject, name: string, prefix?: string) =>
  member<readonly JsonValue[]>(body, name, 'array', prefix);

export function objectItems(list: readonly JsonValue[], path: string): readonly JsonObject[] {
  return list.map((item) => expectType<JsonObject>(item, 'object', path));
}

/** The body of a request as an object. */
export function objectBody(value: JsonValue): JsonObject {
  if (!isJsonObject(value)) throw malformed(`Invalid request format: expected an object, found ${typeOf(value)}`);
  return value;
}
