/** The tree of a template. Every node knows where it was written. */
export type Node = TextNode | ActionNode | IfNode | WithNode | RangeNode | LoopExitNode;

interface TextNode {
  readonly kind: 'text';
  readonly text: string;
}

interface ActionNode {
  readonly kind: 'action';
  readonly pipe: Pipe;
}

interface Branch {
  readonly pipe: Pipe;
  readonly body: readonly Node[];
  readonly otherwise: readonly Node[];
}

interface IfNode extends Branch {
  readonly kind: 'if';
}

interface WithNode extends Branch {
  readonly kind: 'with';
}

export interface RangeNode extends Branch {
  readonly kind: 'range';
}

/** `{{break}}` and `{{continue}}`. */
interface LoopExitNode {
  readonly kind: 'break' | 'continue';
}

/** Commands joined by `|`, with the variables that take the result. */
export interface Pipe {
  readonly at: number;
  readonly variables: readonly string[];
  /** `=` changes a variable that exists, `:=` makes one. */
  readonly assigns: boolean;
  readonly commands: readonly Command[];
}

export interface Command {
  readonly at: number;
  /** As written, for messages. */
  readonly source: string;
  readonly operands: readonly [Operand, ...Operand[]];
}

export type Operand =
  | { readonly kind: 'literal'; readonly value: string | number | boolean; readonly at: number }
  | { readonly kind: 'nil'; readonly at: number }
  | { readonly kind: 'function'; readonly name: string; readonly at: number }
  /** `.a.b` starts at the dot, `$x.a` at a variable, `(pipe).a` at a pipeline. */
  | { readonly kind: 'dot'; readonly fields: readonly string[]; readonly at: number }
  | { readonly kind: 'variable'; readonly name: string; readonly fields: readonly string[]; readonly at: number }
  | { readonly kind: 'pipe'; readonly pipe: Pipe; readonly fields: readonly string[]; readonly at: number };
