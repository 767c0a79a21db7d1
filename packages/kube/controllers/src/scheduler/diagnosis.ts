import type { Refusal } from './filters/filter.ts';

/** `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable.`, as Kubernetes words it. */
export function diagnosisText(nodeCount: number, refusals: Iterable<Refusal>, preemption?: string): string {
  const counts = new Map<string, number>();
  for (const { reasons } of refusals) for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const parts = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  const text = `0/${nodeCount} nodes are available: ${parts.join(', ')}.`;
  return preemption ? `${text} ${preemption}` : text;
}

export function blockedText(nodeCount: number, reason: string, preemption?: string): string {
  const text = `0/${nodeCount} nodes are available: ${reason}.`;
  return preemption ? `${text} ${preemption}` : text;
}

/** Why throwing others out would not help either. */
export function preemptionText(nodeCount: number, helpless: number): string {
  const parts: string[] = [];
  const tried = nodeCount - helpless;
  if (tried > 0) parts.push(`${tried} No preemption victims found for incoming pod`);
  if (helpless > 0) parts.push(`${helpless} Preemption is not helpful for scheduling`);
  return `preemption: 0/${nodeCount} nodes are available: ${parts.join(', ')}.`;
}

export const noNodesText = 'no nodes available to schedule pods';
