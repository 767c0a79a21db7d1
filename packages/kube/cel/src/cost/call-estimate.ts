import type { CelType } from '../check/type.ts';
import type { Node } from '../syntax/ast.ts';
import type { Range } from './range.ts';
import { exactly, NOTHING, plus, scaled, times, UNBOUNDED, UNKNOWN } from './range.ts';
import { CHECK_COST, LIST_CREATE, PER_CHARACTER, PER_PATTERN_CHARACTER, STRUCT_CREATE } from './runtime-cost.ts';

/** An operand as estimates see it. */
export interface Operand {
  readonly node: Node | undefined;
  readonly type: CelType;
  /** Size known from the expression or the schema. */
  readonly size: Range | undefined;
  /** The items of a list, where the schema says something about them. */
  readonly item: () => Operand | undefined;
}

export interface CallEstimate {
  readonly cost: Range;
  readonly resultSize?: Range;
}

interface Call {
  readonly name: string;
  readonly overload: string;
  readonly target: Operand | undefined;
  readonly args: readonly Operand[];
}

const UNIT = exactly(1);
const MAX_FORMAT_NAME = 64;
const MAX_NAME_PATTERN = 128;
const ADDRESS_BYTES: Range = { min: 4, max: 16 };

function sizeOf(operand: Operand | undefined): Range {
  return operand?.size ?? UNKNOWN;
}

function read(size: Range, factor = PER_CHARACTER): Range {
  return scaled(size, factor);
}

type Estimate = (call: Call) => CallEstimate | undefined;

const unit: Estimate = () => ({ cost: UNIT });

const readFirst: Estimate = ({ args: [text] }) => text && { cost: read(sizeOf(text)) };

const readTarget: Estimate = ({ target }) => target && { cost: read(sizeOf(target)), resultSize: sizeOf(target) };

/** Walks the whole list, looking at every character of string items. */
const walkList: Estimate = ({ name, target }) => {
  if (!target) return undefined;
  const item = target.item();
  if (!item) return { cost: name === 'includes' ? times(sizeOf(target), UNIT) : read(sizeOf(target)) };
  const isText = item.type.kind === 'string' || item.type.kind === 'bytes';
  const perItem = isText ? plus(UNIT, read(sizeOf(item))) : UNIT;
  return { cost: times(sizeOf(target), perItem) };
};

const regex: Estimate = ({ target, args: [pattern] }) => {
  if (!target || !pattern) return undefined;
  const size = sizeOf(target);
  const cost = times(read(plus(size, UNIT)), read(sizeOf(pattern), PER_PATTERN_CHARACTER));
  return { cost, resultSize: { min: 0, max: size.max } };
};

const replace: Estimate = ({ target, args: [old, replacement] }) => {
  if (!target || !old || !replacement) return undefined;
  const [size, from, to] = [sizeOf(target), sizeOf(old), sizeOf(replacement)];
  const longest = extreme(size.max, from.min, to.max <= from.min);
  const shortest = extreme(size.min, from.max, from.max <= to.min);
  const count = { min: shortest.count, max: longest.count };
  const kept = { min: shortest.kept, max: longest.kept };
  return { cost: read(size, 2 * PER_CHARACTER), resultSize: plus(times(count, to), kept) };
};

/** How often a text of some size can hold `part`, and how much of it is kept; `changeless` when no replacement counts. */
function extreme(size: number, part: number, changeless: boolean): { count: number; kept: number } {
  if (part === 0) return { count: Math.min(size + 1, UNBOUNDED), kept: size };
  return changeless ? { count: 0, kept: size } : { count: Math.ceil(size / part), kept: 0 };
}

const split: Estimate = ({ target, args: [, limit] }) => {
  if (!target) return undefined;
  const size = sizeOf(target);
  const literal =
    limit?.node?.kind === 'literal' && limit.node.literal.type === 'int' ? Number(limit.node.literal.value) : undefined;
  const max = literal === undefined ? size.max : literal < 0 ? UNBOUNDED : literal;
  return { cost: read(size, 2 * PER_CHARACTER), resultSize: { min: 0, max } };
};

const join: Estimate = ({ target, args: [separator] }) => {
  if (!target) return undefined;
  const count = sizeOf(target);
  const item = target.item();
  let size = item ? times(count, sizeOf(item)) : NOTHING;
  if (separator) {
    size = plus(size, times(sizeOf(separator), { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) }));
  }
  return { cost: read(size), resultSize: size };
};

const selector: Estimate = ({ args: [text] }) => {
  if (!text) return undefined;
  const size = sizeOf(text);
  return { cost: plus(exactly(LIST_CREATE), read(size), scaled(scaled(size, 0.5), LIST_CREATE + STRUCT_CREATE)) };
};

const containsIp: Estimate = ({ overload, args: [other] }) => {
  const base = read(plus(ADDRESS_BYTES, ADDRESS_BYTES));
  return { cost: overload === 'cidr_contains_ip_string' ? plus(base, read(sizeOf(other))) : base };
};

const containsCidr: Estimate = ({ overload, args: [other] }) => {
  const base = plus(read(plus(ADDRESS_BYTES, ADDRESS_BYTES)), read(ADDRESS_BYTES), UNIT);
  return { cost: overload === 'cidr_contains_cidr_string' ? plus(base, read(sizeOf(other))) : base };
};

const validate: Estimate = ({ args: [text] }) =>
  text && { cost: scaled(read(sizeOf(text)), MAX_NAME_PATTERN * PER_PATTERN_CHARACTER) };

const OPAQUE_UNIT = new Set([
  'net.IP',
  'net.CIDR',
  'kubernetes.Quantity',
  'kubernetes.Semver',
  'kubernetes.authorization.Authorizer',
  'kubernetes.authorization.PathCheck',
  'kubernetes.authorization.GroupCheck',
  'kubernetes.authorization.ResourceCheck',
  'kubernetes.authorization.Decision',
]);

/** Only equality of Kubernetes' own types is special. */
const equality: Estimate = ({ args: [left, right] }) => {
  if (!left || !right || left.type.name !== right.type.name) return undefined;
  if (OPAQUE_UNIT.has(left.type.name)) return { cost: UNIT };
  if (left.type.name === 'kubernetes.NamedFormat')
    return { cost: scaled({ min: 1, max: MAX_FORMAT_NAME }, PER_CHARACTER) };
  if (left.type.name !== 'kubernetes.URL') return undefined;
  return { cost: scaled({ min: 1, max: right.size?.max ?? 1 }, PER_CHARACTER) };
};

/** A list as large as `size` is made, with some work per item. */
function newList(size: Range, factor: number): CallEstimate {
  return { cost: plus(scaled(size, factor), UNIT, exactly(LIST_CREATE)), resultSize: size };
}

function literalInt(operand: Operand | undefined, otherwise: number): number {
  const node = operand?.node;
  if (node?.kind !== 'literal' || node.literal.type !== 'int') return otherwise;
  return Math.max(0, Number(node.literal.value));
}

function compareAll(list: Operand | undefined, overload: string): CallEstimate {
  const isText = /^list_(?:string|bytes)_/.test(overload);
  return newList(times(sizeOf(list), sizeOf(list)), isText ? 2 + PER_CHARACTER : 2);
}

function ofSets(factor: number): Estimate {
  return ({ args: [a, b] }) => ({ cost: plus(scaled(times(sizeOf(a), sizeOf(b)), factor), UNIT) });
}

function named(names: string, estimate: Estimate): [string, Estimate][] {
  return names.split(' ').map((name) => [name, estimate]);
}

/** Go by overload, before anything else. */
const EXTENSIONS = new Map<string, Estimate>([
  [
    'list_slice',
    ({ target, args: [from, to] }) =>
      newList(exactly(Math.max(0, literalInt(to, sizeOf(target).max) - literalInt(from, 0))), 1),
  ],
  ...named('list_flatten list_flatten_int', ({ target, args: [depth] }) =>
    newList(sizeOf(target), depth ? literalInt(depth, UNBOUNDED) : 1),
  ),
  ['lists_range', ({ args: [size] }) => newList(exactly(literalInt(size, UNBOUNDED)), 1)],
  ['list_reverse', ({ target }) => newList(sizeOf(target), 1)],
  ['list_distinct', ({ target, overload }) => compareAll(target, overload)],
  ...named('list_sets_contains_list list_sets_intersects_list', ofSets(1)),
  ['list_sets_equivalent_list', ofSets(2)],
]);

/** Kubernetes' estimates, by function name. */
const BY_NAME = new Map<string, Estimate>([
  ['check', () => ({ cost: exactly(CHECK_COST) })],
  ...named(
    'serviceAccount path group resource subresource namespace name allowed reason error errored masked prefixLength family ' +
      'isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast format.named sign asInteger isInteger ' +
      'asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch getScheme getHostname getHost getPort ' +
      'getEscapedPath getQuery',
    unit,
  ),
  ...named('fieldSelector labelSelector', selector),
  ...named('isSorted sum max min indexOf lastIndexOf includes', walkList),
  ...named(
    'url jsonpatch.escapeKey',
    ({ args: [text] }) => text && { cost: read(sizeOf(text)), resultSize: sizeOf(text) },
  ),
  ...named('lowerAscii upperAscii substring trim', readTarget),
  ['replace', replace],
  ['split', split],
  ['join', join],
  ...named('find findAll', regex),
  ...named('cidr isIP isCIDR quantity isQuantity semver isSemver', readFirst),
  ['ip', (call) => (call.overload === 'cidr_ip' ? { cost: UNIT } : readFirst(call))],
  ['ip.isCanonical', ({ args: [text] }) => text && { cost: read(sizeOf(text), 2 * PER_CHARACTER) }],
  ['containsIP', containsIp],
  ['containsCIDR', containsCidr],
  ['validate', validate],
  ['_==_', equality],
]);

/** The cost of a call beyond its arguments where Kubernetes or an extension sets it, or undefined. */
export function libraryEstimate(call: Call): CallEstimate | undefined {
  const extension = EXTENSIONS.get(call.overload) ?? sortEstimate(call.overload);
  return extension?.(call) ?? BY_NAME.get(call.name)?.(call);
}

function sortEstimate(overload: string): Estimate | undefined {
  if (/^list_\w+_sort$/.test(overload)) return ({ target }) => compareAll(target, overload);
  if (/^list_\w+_sortByAssociatedKeys$/.test(overload)) return ({ args: [keys] }) => compareAll(keys, overload);
  return undefined;
}

const COMPARED = new Set([
  'equals',
  'not_equals',
  ...['less', 'less_equals', 'greater', 'greater_equals'].flatMap((name) => [`${name}_string`, `${name}_bytes`]),
]);

/** The cost of the language's own functions beyond their arguments. */
export function standardEstimate({ overload, target, args }: Call): CallEstimate {
  const [first, second] = args;
  switch (overload) {
    case 'string_format':
      return { cost: read(sizeOf(target)) };
    case 'string_to_bytes':
      return {
        cost: read(sizeOf(first)),
        resultSize: { min: sizeOf(first).min, max: Math.min(UNBOUNDED, sizeOf(first).max * 4) },
      };
    case 'bytes_to_string':
      return {
        cost: read(sizeOf(first)),
        resultSize: { min: Math.floor(sizeOf(first).min / 4), max: sizeOf(first).max },
      };
    case 'strings_quote':
      return { cost: read(sizeOf(first)), resultSize: plus(times(sizeOf(first), { min: 1, max: 2 }), exactly(2)) };
    case 'starts_with_string':
    case 'ends_with_string':
      return { cost: read(sizeOf(first)) };
    case 'in_list':
      return { cost: sizeOf(second) };
    case 'matches_string':
      return { cost: times(read(plus(sizeOf(target), UNIT)), read(sizeOf(first), PER_PATTERN_CHARACTER)) };
    case 'contains_string':
      return { cost: times(read(sizeOf(target)), read(sizeOf(first))) };
    case 'add_list':
      return { cost: UNIT, resultSize: plus(sizeOf(first), sizeOf(second)) };
    case 'add_string':
    case 'add_bytes': {
      const resultSize = plus(sizeOf(first), sizeOf(second));
      return { cost: read(resultSize), resultSize };
    }
    default:
  }
  if (!COMPARED.has(overload)) return { cost: UNIT };
  const max = Math.min(sizeOf(first).max, sizeOf(second).max);
  return { cost: read({ min: max > 0 ? 1 : 0, max }) };
}
