import type { corev1, Random } from '@hypershift-ts/kube-apimachinery';
import { amountsOf, podRequests } from '@hypershift-ts/kube-controllers';
import { RE2JS } from 're2js';
import type { NodeGroup } from './node-group.ts';
import type { TemplateNode } from './template-node.ts';

type Pod = corev1.Pod;

/** One way to help pending pods: so many more nodes of a group. */
export interface Option {
  readonly group: NodeGroup;
  readonly template: TemplateNode;
  readonly count: number;
  readonly pods: readonly Pod[];
}

/** Which groups are wanted first: patterns of their names by priority. */
export type Priorities = ReadonlyMap<number, readonly string[]>;

/** The best option: each expander narrows the choice, and chance decides what is left. */
export function choose(
  options: readonly Option[],
  expanders: readonly string[],
  priorities: Priorities | undefined,
  random: Random,
): Option | undefined {
  let best = options;
  for (const expander of expanders) {
    if (best.length < 2) break;
    best = narrow(best, expander, priorities);
  }
  return best[Math.min(Math.floor(random() * best.length), best.length - 1)];
}

function narrow(options: readonly Option[], expander: string, priorities: Priorities | undefined): readonly Option[] {
  switch (expander) {
    case 'least-waste':
      return least(options, wasteOf);
    case 'most-pods':
      return least(options, ({ pods }) => -pods.length);
    case 'least-nodes':
      return least(options, ({ count }) => count);
    case 'priority':
      return priorities ? least(options, (option) => -priorityOf(option, priorities)) : options;
    default:
      return options;
  }
}

function least(options: readonly Option[], of: (option: Option) => number): readonly Option[] {
  const values = options.map(of);
  const best = Math.min(...values);
  return options.filter((_option, index) => (values[index] ?? Number.POSITIVE_INFINITY) <= best);
}

/** Part of the new processors and memory that nobody would use, averaged. */
function wasteOf({ template, pods, count }: Option): number {
  const room = amountsOf(template.node.status?.allocatable);
  const wasted = (resource: 'cpu' | 'memory') => {
    const total = (room[resource] ?? 0) * count;
    const used = pods.reduce((sum, { spec }) => sum + (podRequests(spec)[resource] ?? 0), 0);
    return total > 0 ? Math.max(total - used, 0) / total : 0;
  };
  return (wasted('cpu') + wasted('memory')) / 2;
}

function priorityOf({ group }: Option, priorities: Priorities): number {
  let found = Number.NEGATIVE_INFINITY;
  for (const [priority, patterns] of priorities) {
    if (priority > found && patterns.some((pattern) => matches(pattern, group.id))) found = priority;
  }
  return found;
}

/** Users write these patterns, so they run in an engine without catastrophes. */
function matches(pattern: string, text: string): boolean {
  try {
    return RE2JS.compile(pattern).matcher(text).find();
  } catch {
    return false;
  }
}
