import { parseFormat } from '../library/string-format.ts';
import type { CallNode } from '../syntax/ast.ts';
import type { CheckedExpression } from './checker.ts';
import type { CelType, TypeKind } from './type.ts';
import { DYN } from './type.ts';
import type { Report } from './validate.ts';

/** Types each clause takes, and what it says about others. */
const CLAUSES: Readonly<Record<string, { kinds: ReadonlySet<TypeKind>; message: string }>> = {
  d: { kinds: new Set(['int', 'uint']), message: 'decimal clause can only be used on integers' },
  f: { kinds: new Set(['double']), message: 'fixed-point clause can only be used on doubles' },
  e: { kinds: new Set(['double']), message: 'scientific clause can only be used on doubles' },
  b: { kinds: new Set(['int', 'uint', 'bool']), message: 'only integers and bools can be formatted as binary' },
  o: { kinds: new Set(['int', 'uint']), message: 'octal clause can only be used on integers' },
  x: {
    kinds: new Set(['int', 'uint', 'string', 'bytes']),
    message: 'only integers, byte buffers, and strings can be formatted as hex',
  },
};

/** Checks `'...'.format([...])` when both are written out: clauses must exist, fit their arguments and be as many. */
export function validateFormatCall(checked: CheckedExpression, node: CallNode, report: Report): void {
  const { target, args } = node;
  const [list] = args;
  if (target?.kind !== 'literal' || target.literal.type !== 'string' || list?.kind !== 'list') return;
  const parsed = parseFormat(target.literal.value);
  if (typeof parsed === 'string') {
    report(node, parsed);
    return;
  }
  const clauses = parsed.filter((piece) => typeof piece !== 'string');
  for (const [i, { verb }] of clauses.entries()) {
    const argument = list.elements[i];
    if (!argument) {
      report(node, `index ${i} out of range`);
      return;
    }
    const type = checked.types.get(argument.id) ?? DYN;
    const rule = CLAUSES[verb.toLowerCase()];
    if (!rule || accepts(rule.kinds, type)) continue;
    report(argument, `error during formatting: ${rule.message}, was given ${type.name}`);
    return;
  }
  if (list.elements.length > clauses.length) {
    report(
      node,
      `too many arguments supplied to string.format (expected ${clauses.length}, got ${list.elements.length})`,
    );
  }
}

function accepts(kinds: ReadonlySet<TypeKind>, type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'param' || kinds.has(type.kind);
}
