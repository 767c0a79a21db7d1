import type { CheckedExpression } from '../check/checker.ts';
import { formatType } from '../check/type.ts';
import type { Node } from '../syntax/ast.ts';
import { formatDouble } from '../values/number-text.ts';

/** What is appended after a node. */
export type Adorn = (node: Node) => string;

/** Prints an expression tree in the layout of cel-go's debug output, which the vectors use. */
export function debugText(node: Node, adorn: Adorn, entryMark = ''): string {
  const lines = (items: readonly string[], open: string, close: string): string =>
    items.length === 0 ? open + close : `${open}\n${items.map((item) => indent(item)).join(',\n')}\n${close}`;
  const write = (n: Node): string => debugText(n, adorn, entryMark);
  const text = (): string => {
    switch (node.kind) {
      case 'literal':
        return literalText(node.literal);
      case 'ident':
        return node.name;
      case 'select':
        return `${write(node.operand)}.${node.field}${node.testOnly ? '~test-only~' : ''}`;
      case 'call':
        return `${node.target ? `${write(node.target)}.` : ''}${lines(node.args.map(write), `${node.function}(`, ')')}`;
      case 'list':
        return lines(node.elements.map(write), '[', ']');
      case 'map':
        return lines(
          node.entries.map((e) => `${e.optional ? '?' : ''}${write(e.key)}:${write(e.value)}${entryMark}`),
          '{',
          '}',
        );
      case 'struct':
        return lines(
          node.fields.map((f) => `${f.optional ? '?' : ''}${f.name}:${write(f.value)}${entryMark}`),
          `${node.typeName}{`,
          '}',
        );
      case 'comprehension': {
        const parts: [string, string][] = [
          ['Variable', node.iterVar],
          ['Target', write(node.range)],
          ['Accumulator', node.accuVar],
          ['Init', write(node.accuInit)],
          ['LoopCondition', write(node.condition)],
          ['LoopStep', write(node.step)],
          ['Result', write(node.result)],
        ];
        return `__comprehension__(\n${parts.map(([name, value]) => indent(`// ${name}\n${value}`)).join(',\n')})`;
      }
      default:
        return node satisfies never;
    }
  };
  return text() + adorn(node);
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}

function literalText(literal: Extract<Node, { kind: 'literal' }>['literal']): string {
  switch (literal.type) {
    case 'string':
      return JSON.stringify(literal.value);
    case 'bytes':
      return `b${JSON.stringify(Buffer.from(literal.value).toString('utf8'))}`;
    case 'uint':
      return `${literal.value.value}u`;
    case 'double':
      return formatDouble(literal.value);
    default:
      return String(literal.value);
  }
}

const KINDS: Readonly<Record<Node['kind'], string>> = {
  literal: '',
  ident: 'Expr_IdentExpr',
  select: 'Expr_SelectExpr',
  call: 'Expr_CallExpr',
  list: 'Expr_ListExpr',
  map: 'Expr_StructExpr',
  struct: 'Expr_StructExpr',
  comprehension: 'Expr_ComprehensionExpr',
};
const CONSTANTS: Readonly<Record<string, string>> = {
  int: 'Int64',
  uint: 'Uint64',
  double: 'Double',
  string: 'String',
  bytes: 'Bytes',
  bool: 'Bool',
  null: 'Null',
};

export const kindMark: Adorn = (node) =>
  `^#*expr.${node.kind === 'literal' ? `Constant_${CONSTANTS[node.literal.type]}Value` : KINDS[node.kind]}#`;
export const ENTRY_MARK = '^#*expr.Expr_CreateStruct_Entry#';

/** Marks nodes with their type and, for names and calls, what they resolved to. */
export function typeMark(checked: CheckedExpression): Adorn {
  return (node) => {
    const type = checked.types.get(node.id);
    if (!type) return '';
    const ident = checked.idents.get(node.id);
    const call = checked.calls.get(node.id);
    const reference = ident?.name ?? call?.overloads.map(({ id }) => id).join('|');
    return `~${formatType(type)}${reference ? `^${reference}` : ''}`;
  };
}
