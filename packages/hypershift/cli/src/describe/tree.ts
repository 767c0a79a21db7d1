import { oneLine } from '../progress/index.ts';
import type { Terminal } from '../terminal/index.ts';

/** `good` as wanted, `bad` broken, `waiting` for something else, `plain` a heading. */
export type NodeState = 'good' | 'bad' | 'waiting' | 'plain';

/** Something with a state, the reason for it, and parts. */
export interface TreeNode {
  /** What it is: `ControlPlaneComponent`. Nodes of one kind fold together. */
  readonly kind?: string;
  readonly name: string;
  readonly state: NodeState;
  readonly detail?: string;
  readonly children?: readonly TreeNode[];
}

const marks: { readonly [state in NodeState]: string } = { good: '✓', bad: '✗', waiting: '…', plain: '' };
const namesShown = 4;

/** Siblings without parts that say the same become one line. Order is that of the first of each. */
export function folded(nodes: readonly TreeNode[]): readonly TreeNode[] {
  const groups = new Map<string, TreeNode[]>();
  for (const node of nodes) {
    const isLeaf = (node.children ?? []).length === 0;
    const key = isLeaf && node.kind ? JSON.stringify([node.kind, node.state, node.detail]) : `alone ${groups.size}`;
    groups.set(key, [...(groups.get(key) ?? []), node]);
  }
  return [...groups.values()].map((group) => (group.length === 1 ? (group[0] as TreeNode) : together(group)));
}

function together(group: readonly TreeNode[]): TreeNode {
  const [first] = group as [TreeNode];
  const names = group.map(({ name }) => name);
  const shown =
    names.length > namesShown + 1 ? [...names.slice(0, namesShown), `and ${names.length - namesShown} more`] : names;
  return { ...first, name: `${names.length} × ${first.kind}: ${shown.join(', ')}` };
}

/** Broken things first, then what waits for them, then the rest. */
export function worstFirst(nodes: readonly TreeNode[]): readonly TreeNode[] {
  const rank: { readonly [state in NodeState]: number } = { bad: 0, waiting: 1, plain: 2, good: 2 };
  return nodes.toSorted((a, b) => rank[a.state] - rank[b.state]);
}

/** How bad the worst of them is. */
export function worstOf(nodes: readonly TreeNode[]): NodeState {
  if (nodes.some(({ state }) => state === 'bad')) return 'bad';
  return nodes.some(({ state }) => state === 'waiting') ? 'waiting' : 'good';
}

type Colors = Terminal['colors'];

function line({ kind, name, state, detail }: TreeNode, colors: Colors): string {
  const paint = { good: colors.green, bad: colors.red, waiting: colors.yellow, plain: colors.bold }[state];
  const what = kind && !name.includes(' × ') ? `${kind} ${name}` : name;
  const text = state === 'plain' ? paint(what) : `${paint(marks[state])} ${what}`;
  return detail ? `${text}  ${colors.dim(oneLine(detail))}` : text;
}

function below(node: TreeNode, colors: Colors, indent: string): readonly string[] {
  const children = folded(node.children ?? []);
  return children.flatMap((child, i) => {
    const isLast = i === children.length - 1;
    return [
      `${indent}${isLast ? '└─ ' : '├─ '}${line(child, colors)}`,
      ...below(child, colors, `${indent}${isLast ? '   ' : '│  '}`),
    ];
  });
}

/** The tree as text. */
export function treeText(root: TreeNode, colors: Colors): string {
  return [line(root, colors), ...below(root, colors, '')].join('\n');
}
