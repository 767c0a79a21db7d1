import { CelCompileError } from '../errors.ts';
import type { Node } from '../syntax/ast.ts';
import type { CelIssue } from '../syntax/source.ts';
import { locationAt } from '../syntax/source.ts';
import { parseGoDuration, parseRfc3339 } from '../values/time.ts';
import { compileRegex } from '../values/regex.ts';
import type { CheckedExpression } from './checker.ts';

/** Function, and whether a literal argument in its last place is one it can use. */
const VALIDATORS: Readonly<Record<string, (text: string) => boolean>> = {
  duration: (text) => parseGoDuration(text) !== undefined,
  timestamp: (text) => parseRfc3339(text) !== undefined,
  matches: (text) => typeof compileRegex(text) !== 'string',
};

/** Rejects durations, timestamps and patterns that are literals and cannot work. Throws `CelCompileError`. */
export function validateLiterals(checked: CheckedExpression): void {
  const issues: CelIssue[] = [];
  visit(checked.root, new Set(), (node) => {
    if (node.kind !== 'call') return;
    const validate = Object.hasOwn(VALIDATORS, node.function) ? VALIDATORS[node.function] : undefined;
    const literal = node.args.at(-1);
    if (!validate || literal?.kind !== 'literal' || literal.literal.type !== 'string') return;
    if (validate(literal.literal.value)) return;
    issues.push({ message: `invalid ${node.function} argument`, location: locationAt(checked.source, literal.pos) });
  });
  if (issues.length > 0) throw new CelCompileError(checked.source, issues);
}

/** Visits every node once. */
export function visit(node: Node, seen: Set<number>, action: (node: Node) => void): void {
  if (seen.has(node.id)) return;
  seen.add(node.id);
  action(node);
  for (const inner of childrenOf(node)) visit(inner, seen, action);
}

function childrenOf(node: Node): readonly Node[] {
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
