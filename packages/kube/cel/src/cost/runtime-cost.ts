import { mapSize } from '../values/equality.ts';
import type { CelValue } from '../values/value.ts';
import { CelMap, CelOptional, isPlainObject } from '../values/value.ts';
import { codePointLength } from '../syntax/source.ts';

/** What a call adds to the cost, given its arguments and result. */
export type CallCost = (args: readonly CelValue[], result: CelValue) => number;

/** Cost of looking at one character. */
export const PER_CHARACTER = 0.1;
/** Cost per character of a pattern. */
export const PER_PATTERN_CHARACTER = 0.25;
export const LIST_CREATE = 10;
export const STRUCT_CREATE = 40;

/** Values that know how large the cost model takes them to be. */
interface Sized {
  readonly costSize: number;
}

/** Size of a value: characters, bytes, items or entries; 1 for anything else. */
function sizeOf(value: CelValue): number {
  if (typeof value === 'string') return codePointLength(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length;
  if (value instanceof CelMap || isPlainObject(value)) return mapSize(value);
  const { costSize } = value as Partial<Sized>;
  return costSize ?? 1;
}

/** The language's own operators look inside optionals; the libraries do not. */
function operandSize(value: CelValue): number {
  return value instanceof CelOptional && value.present ? operandSize(value.value) : sizeOf(value);
}

function characters(size: number): number {
  return Math.ceil(size * PER_CHARACTER);
}

function regexCost(text: number, pattern: number): number {
  return Math.ceil((1 + text) * PER_CHARACTER) * Math.ceil(pattern * PER_PATTERN_CHARACTER);
}

/** Cost of walking a whole value. */
function traversal(value: CelValue): number {
  if (typeof value === 'string') return Math.floor(Buffer.byteLength(value) * PER_CHARACTER);
  if (value instanceof Uint8Array) return Math.floor(value.length * PER_CHARACTER);
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + traversal(item), 0);
  if (value instanceof CelMap) {
    let sum = 0;
    for (const [key, item] of value.entries()) sum += traversal(key) + traversal(item);
    return sum;
  }
  if (!isPlainObject(value)) return 1;
  return Object.entries(value).reduce((sum, [key, item]) => sum + traversal(key) + traversal(item), 0);
}

function selectorCost(length: number): number {
  return LIST_CREATE + characters(length) + Math.ceil(Math.ceil(length * 0.5) * (LIST_CREATE + STRUCT_CREATE));
}

const ofFirst: CallCost = ([text]) => characters(sizeOf(text));
const ofFirstTwice: CallCost = ([text]) => Math.ceil(sizeOf(text) * 2 * PER_CHARACTER);
const ofTraversal: CallCost = ([list]) => traversal(list);
const ofRegex: CallCost = ([text, pattern]) => regexCost(sizeOf(text), sizeOf(pattern));
function newList(work: number): number {
  return 1 + LIST_CREATE + work;
}

/** Every item against every other. */
function compareAll(list: CelValue): number {
  const items = list as readonly CelValue[];
  const isText = typeof items[0] === 'string' || items[0] instanceof Uint8Array;
  return newList(Math.floor(items.length * items.length * (isText ? 2 + PER_CHARACTER : 2)));
}

const ofResultList: CallCost = (_args, result) => newList(sizeOf(result));

function named(names: string, cost: CallCost): [string, CallCost][] {
  return names.split(' ').map((name) => [name, cost]);
}

/** Kubernetes' own costs, which go by function name. */
const BY_NAME = new Map<string, CallCost>([
  ...named('fieldSelector labelSelector', ([, selector]) => selectorCost(sizeOf(selector))),
  ...named('isSorted sum max min indexOf lastIndexOf includes', ofTraversal),
  ...named(
    'url lowerAscii upperAscii substring trim jsonpatch.escapeKey cidr isIP isCIDR quantity isQuantity semver isSemver',
    ofFirst,
  ),
  ...named('replace split ip.isCanonical', ofFirstTwice),
  ['join', (_args, result) => Math.ceil(sizeOf(result) * 2 * PER_CHARACTER)],
  ...named('find findAll', ofRegex),
  ['ip', ofFirst],
  ['validate', ([format, text]) => regexCost(sizeOf(text), (format as { readonly maxRegexSize: number }).maxRegexSize)],
]);

const UNIT_NAMES = new Set(
  (
    'serviceAccount path group resource subresource namespace name allowed reason error errored masked prefixLength family ' +
    'isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast format.named sign asInteger isInteger ' +
    'asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch getScheme getHostname getHost getPort ' +
    'getEscapedPath getQuery'
  ).split(' '),
);

/** An authorization check is priced so that two fit into one expression. */
export const CHECK_COST = 350_000;

const smaller: CallCost = ([a, b]) => {
  // The common case of short texts needs no counting.
  if (typeof a === 'string' && typeof b === 'string' && (a.length <= 10 || b.length <= 10)) {
    return a === '' || b === '' ? 0 : 1;
  }
  return characters(Math.min(operandSize(a), operandSize(b)));
};

/** Equality of library values costs 1 whatever they hold. */
const equality: CallCost = (args) => (isOpaque(args[0]) ? 1 : smaller(args, undefined));

function isOpaque(value: CelValue): boolean {
  return typeof value === 'object' && value !== null && 'typeName' in value && !isPlainObject(value);
}

/** Costs of the language, which go by overload; an unresolved overload costs 1. */
const BY_OVERLOAD = new Map<string, CallCost>([
  ...named('starts_with_string ends_with_string', ([, part]) => characters(operandSize(part))),
  ...named('string_to_bytes bytes_to_string strings_quote string_format', ([text]) => characters(operandSize(text))),
  ['in_list', ([, list]) => operandSize(list)],
  ...named('less_string greater_string less_equals_string greater_equals_string', smaller),
  ...named('less_bytes greater_bytes less_equals_bytes greater_equals_bytes', smaller),
  ['equals', equality],
  ['not_equals', smaller],
  ...named('add_string add_bytes', ([a, b]) => characters(operandSize(a) + operandSize(b))),
  ['matches_string', ([text, pattern]) => regexCost(operandSize(text), operandSize(pattern))],
  ['contains_string', ([text, part]) => characters(operandSize(text)) * characters(operandSize(part))],
  ['cidr_contains_ip_ip', ([cidr]) => Math.ceil(sizeOf(cidr) * 2 * PER_CHARACTER)],
  ['cidr_contains_ip_string', ([cidr, ip]) => Math.ceil(sizeOf(cidr) * 2 * PER_CHARACTER) + characters(sizeOf(ip))],
  ['cidr_contains_cidr', ([cidr]) => containsCidr(cidr)],
  ['cidr_contains_cidr_string', ([cidr, other]) => containsCidr(cidr) + characters(sizeOf(other))],
  ...named('list_slice lists_range list_reverse', ofResultList),
  ['list_flatten', ([list]) => newList(sizeOf(list))],
  ['list_flatten_int', ([list, depth]) => newList(Math.floor(sizeOf(list) * Number(depth)))],
  ['list_distinct', ([list]) => compareAll(list)],
  ...named('list_sets_contains_list list_sets_intersects_list', ([a, b]) => 1 + sizeOf(a) * sizeOf(b)),
  ['list_sets_equivalent_list', ([a, b]) => 1 + sizeOf(a) * sizeOf(b) * 2],
]);

function containsCidr(cidr: CelValue): number {
  return Math.ceil(sizeOf(cidr) * 2 * PER_CHARACTER) + characters(sizeOf(cidr)) + 1;
}

/** Cost of a call that does not depend on its arguments, or undefined. */
export function fixedCost(name: string, overloadId: string): number | undefined {
  if (name === 'check') return CHECK_COST;
  if (UNIT_NAMES.has(name) || overloadId === 'cidr_ip') return 1;
  return lookUp(name, overloadId) ? undefined : 1;
}

export function runtimeCost(name: string, overloadId: string): CallCost {
  const fixed = fixedCost(name, overloadId);
  if (fixed !== undefined) return () => fixed;
  return lookUp(name, overloadId)!;
}

/** Equality keeps its overload even when the operands' types are open. */
function lookUp(name: string, overloadId: string): CallCost | undefined {
  if (name === '_==_') return equality;
  if (name === '_!=_') return smaller;
  if (/^list_\w+_sort$/.test(overloadId)) return ([list]) => compareAll(list);
  if (/^list_\w+_sortByAssociatedKeys$/.test(overloadId)) return ([, keys]) => compareAll(keys);
  return BY_OVERLOAD.get(overloadId) ?? BY_NAME.get(name);
}
