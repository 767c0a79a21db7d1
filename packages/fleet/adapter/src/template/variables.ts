import type { Node, Operand, Pipe } from './ast.ts';

/** A top-level name that a template reads, and where. */
export interface RootReference {
  readonly name: string;
  readonly at: number;
}

/**
 * The top-level names a template may read: `.x` where the dot still is the data it was given, and `$.x` anywhere.
 * Inside `with` and `range` the dot is something else, so its fields say nothing about the data.
 */
export function rootReferences(nodes: readonly Node[]): readonly RootReference[] {
  const found: RootReference[] = [];
  visitNodes(nodes, true, found);
  return found;
}

function visitNodes(nodes: readonly Node[], dotIsRoot: boolean, found: RootReference[]): void {
  for (const node of nodes) {
    if (node.kind === 'action') visitPipe(node.pipe, dotIsRoot, found);
    else if (node.kind === 'if' || node.kind === 'with' || node.kind === 'range') {
      visitPipe(node.pipe, dotIsRoot, found);
      visitNodes(node.body, dotIsRoot && node.kind === 'if', found);
      visitNodes(node.otherwise, dotIsRoot, found);
    }
  }
}

function visitPipe(pipe: Pipe, dotIsRoot: boolean, found: RootReference[]): void {
  for (const { operands } of pipe.commands) for (const operand of operands) visitOperand(operand, dotIsRoot, found);
}

function visitOperand(operand: Operand, dotIsRoot: boolean, found: RootReference[]): void {
  if (operand.kind === 'pipe') visitPipe(operand.pipe, dotIsRoot, found);
  const isRoot = operand.kind === 'dot' ? dotIsRoot : operand.kind === 'variable' && operand.name === '$';
  const name = isRoot && (operand.kind === 'dot' || operand.kind === 'variable') ? operand.fields[0] : undefined;
  if (name !== undefined) found.push({ name, at: operand.at });
}
