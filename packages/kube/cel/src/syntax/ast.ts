import type { CelUint } from '../values/value.ts';

/** A literal as the parser reads it; ints are numbers while safe, doubles are boxed when integral. */
export type Literal =
  | { readonly type: 'int'; readonly value: number | bigint }
  | { readonly type: 'uint'; readonly value: CelUint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: Uint8Array }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'null'; readonly value: null };

interface NodeBase {
  /** Unique within one expression; the checker's findings are keyed by it. */
  readonly id: number;
  /** UTF-16 offset of the token an error about this node points at. */
  readonly pos: number;
}

export interface LiteralNode extends NodeBase {
  readonly kind: 'literal';
  readonly literal: Literal;
}

export interface IdentNode extends NodeBase {
  readonly kind: 'ident';
  readonly name: string;
}

export interface SelectNode extends NodeBase {
  readonly kind: 'select';
  readonly operand: Node;
  readonly field: string;
  readonly testOnly: boolean;
}

export interface CallNode extends NodeBase {
  readonly kind: 'call';
  readonly function: string;
  readonly target: Node | undefined;
  readonly args: readonly Node[];
}

export interface ListNode extends NodeBase {
  readonly kind: 'list';
  readonly elements: readonly Node[];
  /** Indices of `?x` elements. */
  readonly optionals: ReadonlySet<number>;
}

export interface MapEntry {
  readonly id: number;
  readonly key: Node;
  readonly value: Node;
  readonly optional: boolean;
}

export interface MapNode extends NodeBase {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

export interface StructField {
  readonly id: number;
  readonly pos: number;
  readonly name: string;
  readonly value: Node;
  readonly optional: boolean;
}

export interface StructNode extends NodeBase {
  readonly kind: 'struct';
  readonly typeName: string;
  readonly fields: readonly StructField[];
}

export interface ComprehensionNode extends NodeBase {
  readonly kind: 'comprehension';
  readonly range: Node;
  readonly iterVar: string;
  /** Set by two-variable macros: `iterVar` is then the index or key, this the value. */
  readonly iterVar2: string | undefined;
  readonly accuVar: string;
  readonly accuInit: Node;
  readonly condition: Node;
  readonly step: Node;
  readonly result: Node;
}

export type Node =
  | LiteralNode
  | IdentNode
  | SelectNode
  | CallNode
  | ListNode
  | MapNode
  | StructNode
  | ComprehensionNode;

/** Function names the grammar's operators stand for. */
export const Operator = {
  conditional: '_?_:_',
  and: '_&&_',
  or: '_||_',
  not: '!_',
  equals: '_==_',
  notEquals: '_!=_',
  less: '_<_',
  lessEquals: '_<=_',
  greater: '_>_',
  greaterEquals: '_>=_',
  add: '_+_',
  subtract: '_-_',
  multiply: '_*_',
  divide: '_/_',
  modulo: '_%_',
  negate: '-_',
  index: '_[_]',
  in: '@in',
  notStrictlyFalse: '@not_strictly_false',
  optSelect: '_?._',
  optIndex: '_[?_]',
} as const;

/** Name of the accumulator in macro-made comprehensions; not writable in source text. */
export const ACCUMULATOR = '@result';

/** The nodes directly below a node, in the order they are written. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'select':
      return [node.operand];
    case 'call':
      return node.target ? [node.target, ...node.args] : node.args;
    case 'list':
      return node.elements;
    case 'map':
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return node.fields.map(({ value }) => value);
    case 'comprehension':
      return [node.range, node.accuInit, node.condition, node.step, node.result];
    default:
      return [];
  }
}
