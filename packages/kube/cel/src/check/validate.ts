import { CelCompileError } from '../errors.ts';
import type { CallNode, ListNode, MapNode, Node } from '../syntax/ast.ts';
import { childrenOf } from '../syntax/ast.ts';
import type { CelIssue } from '../syntax/source.ts';
import { locationAt, sortIssues } from '../syntax/source.ts';
import { compileRegex } from '../values/regex.ts';
import { inTimestampRange, parseGoDuration, parseRfc3339 } from '../values/time.ts';
import type { CheckedExpression } from './checker.ts';
import { validateFormatCall } from './format-validator.ts';
import type { CelType } from './type.ts';
import { DYN, formatType, isOptional, sameType } from './type.ts';

export interface Validations {
  /** Literal durations, timestamps and patterns must be ones that can work. */
  readonly literals: boolean;
  /** Lists and maps written out must hold one type each, except below `format`. */
  readonly homogeneous: boolean;
}

/** Function, and whether a text literal as its first argument in parentheses is one it can use. */
const LITERALS: Readonly<Record<string, (text: string) => boolean>> = {
  duration: (text) => parseGoDuration(text) !== undefined,
  timestamp: isTimestamp,
  matches: (text) => typeof compileRegex(text) !== 'string',
};

function isTimestamp(text: string): boolean {
  const nanos = parseRfc3339(text);
  return nanos !== undefined && inTimestampRange(nanos);
}

/** Rules beyond typing that Kubernetes applies to checked expressions. Throws `CelCompileError`. */
export function validate(checked: CheckedExpression, wanted: Validations): void {
  const issues: CelIssue[] = [];
  const report = (node: Node, message: string): void => {
    issues.push({ message, location: locationAt(checked.source, node.pos) });
  };
  const seen = new Set<number>();
  const visit = (node: Node, exempt: boolean): void => {
    if (seen.has(node.id)) return;
    seen.add(node.id);
    if (node.kind === 'call') {
      if (wanted.literals) checkLiteral(node, report);
      if (wanted.literals && node.function === 'format') validateFormatCall(checked, node, report);
    } else if (wanted.homogeneous && !exempt) {
      if (node.kind === 'list') checkList(checked, node, report);
      if (node.kind === 'map') checkMap(checked, node, report);
    }
    const inner = exempt || (node.kind === 'call' && node.function === 'format');
    for (const child of childrenOf(node)) visit(child, inner);
  };
  visit(checked.root, false);
  if (issues.length > 0) throw new CelCompileError(checked.source, sortIssues(issues));
}

export type Report = (node: Node, message: string) => void;

function checkLiteral(node: CallNode, report: Report): void {
  const works = Object.hasOwn(LITERALS, node.function) ? LITERALS[node.function] : undefined;
  const [literal] = node.args;
  if (!works || literal?.kind !== 'literal' || literal.literal.type !== 'string') return;
  if (!works(literal.literal.value)) report(literal, `invalid ${node.function} argument`);
}

function typeOf(checked: CheckedExpression, node: Node, optional: boolean): CelType {
  const type = checked.types.get(node.id) ?? DYN;
  return optional && isOptional(type) ? type.params[0]! : type;
}

function mismatch(expected: CelType, actual: CelType): string {
  return `expected type '${formatType(expected)}' but found '${formatType(actual)}'`;
}

function checkList(checked: CheckedExpression, node: ListNode, report: Report): void {
  let expected: CelType | undefined;
  for (const [i, element] of node.elements.entries()) {
    const type = typeOf(checked, element, node.optionals.has(i));
    expected ??= type;
    if (sameType(expected, type)) continue;
    report(element, mismatch(expected, type));
    return;
  }
}

function checkMap(checked: CheckedExpression, node: MapNode, report: Report): void {
  const [first] = node.entries;
  if (!first) return;
  const keyType = typeOf(checked, first.key, false);
  const valueType = typeOf(checked, first.value, first.optional);
  for (const { key, value, optional } of node.entries) {
    const [k, v] = [typeOf(checked, key, false), typeOf(checked, value, optional)];
    if (!sameType(keyType, k)) report(key, mismatch(keyType, k));
    if (!sameType(valueType, v)) report(value, mismatch(valueType, v));
  }
}
