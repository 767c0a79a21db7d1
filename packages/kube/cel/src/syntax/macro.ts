import type {
  CallNode,
  ComprehensionNode,
  IdentNode,
  ListNode,
  Literal,
  LiteralNode,
  MapEntry,
  MapNode,
  Node,
  SelectNode,
  StructField,
  StructNode,
} from './ast.ts';

const NO_OPTIONALS: ReadonlySet<number> = new Set();

/** Makes nodes with fresh ids. */
export class NodeFactory {
  private count = 0;

  nextId(): number {
    return ++this.count;
  }
  literal(pos: number, literal: Literal): LiteralNode {
    return { kind: 'literal', id: this.nextId(), pos, literal };
  }
  ident(pos: number, name: string): IdentNode {
    return { kind: 'ident', id: this.nextId(), pos, name };
  }
  select(pos: number, operand: Node, field: string, testOnly = false): SelectNode {
    return { kind: 'select', id: this.nextId(), pos, operand, field, testOnly };
  }
  call(pos: number, name: string, args: readonly Node[], target?: Node): CallNode {
    return { kind: 'call', id: this.nextId(), pos, function: name, target, args };
  }
  list(pos: number, elements: readonly Node[], optionals: ReadonlySet<number> = NO_OPTIONALS): ListNode {
    return { kind: 'list', id: this.nextId(), pos, elements, optionals };
  }
  map(pos: number, entries: readonly MapEntry[]): MapNode {
    return { kind: 'map', id: this.nextId(), pos, entries };
  }
  struct(pos: number, typeName: string, fields: readonly StructField[]): StructNode {
    return { kind: 'struct', id: this.nextId(), pos, typeName, fields };
  }
  /** A builder whose nodes all stand at the macro call. */
  at(pos: number): MacroBuilder {
    return new MacroBuilder(this, pos);
  }
}

/** What a macro gets to write its expansion with. */
export class MacroBuilder {
  private readonly factory: NodeFactory;
  private readonly pos: number;

  constructor(factory: NodeFactory, pos: number) {
    this.factory = factory;
    this.pos = pos;
  }
  literal(literal: Literal): Node {
    return this.factory.literal(this.pos, literal);
  }
  bool(value: boolean): Node {
    return this.literal({ type: 'bool', value });
  }
  int(value: number): Node {
    return this.literal({ type: 'int', value });
  }
  ident(name: string): Node {
    return this.factory.ident(this.pos, name);
  }
  call(name: string, ...args: Node[]): Node {
    return this.factory.call(this.pos, name, args);
  }
  memberCall(name: string, target: Node, ...args: Node[]): Node {
    return this.factory.call(this.pos, name, args, target);
  }
  presenceTest(operand: Node, field: string): Node {
    return this.factory.select(this.pos, operand, field, true);
  }
  list(...elements: Node[]): Node {
    return this.factory.list(this.pos, elements);
  }
  map(...entries: { key: Node; value: Node }[]): Node {
    return this.factory.map(
      this.pos,
      entries.map((entry) => ({ id: this.factory.nextId(), ...entry, optional: false })),
    );
  }
  comprehension(parts: Omit<ComprehensionNode, 'kind' | 'id' | 'pos' | 'iterVar2'> & { iterVar2?: string }): Node {
    return { iterVar2: undefined, ...parts, kind: 'comprehension', id: this.factory.nextId(), pos: this.pos };
  }
}

/** Thrown by a macro whose arguments have the wrong shape. */
export class MacroFailure {
  readonly pos: number;
  readonly message: string;
  constructor(node: Node, message: string) {
    this.pos = node.pos;
    this.message = message;
  }
}

/** Returns undefined when the call is not meant for the macro after all. */
export type Macro = (build: MacroBuilder, target: Node | undefined, args: readonly Node[]) => Node | undefined;

export interface MacroDeclaration {
  readonly name: string;
  readonly receiver: boolean;
  readonly arity: number;
  readonly expand: Macro;
}

/** The macros an environment knows, found by name, call style and argument count. */
export class MacroSet {
  private readonly table = new Map<string, Macro>();

  constructor(declarations: readonly MacroDeclaration[]) {
    for (const { name, receiver, arity, expand } of declarations)
      this.table.set(`${name}:${receiver}:${arity}`, expand);
  }
  find(name: string, receiver: boolean, arity: number): Macro | undefined {
    return this.table.get(`${name}:${receiver}:${arity}`);
  }
}
