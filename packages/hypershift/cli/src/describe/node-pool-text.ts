import { ageOf, type Terminal } from '../terminal/index.ts';
import { type Cause, clusterCause, nodePoolCause, oneLine } from '../progress/index.ts';
import type { NodePoolFacts } from './node-pool-facts.ts';
import { nodePoolNode, replicasText } from './node-pool-nodes.ts';
import { rolloutOf, rolloutText } from './rollout.ts';
import { treeText } from './tree.ts';

const row = (name: string, value: string | undefined) => (value ? [`${`${name}:`.padEnd(15)} ${value}`] : []);

/** What keeps a pool from what it asks for: itself, or the cluster it belongs to. */
function blockerOf({ pool, cluster }: NodePoolFacts): Cause | undefined {
  const own = nodePoolCause(pool);
  return own ? (clusterCause(cluster) ?? own) : undefined;
}

function rolloutLines(facts: NodePoolFacts): readonly string[] {
  const rollout = rolloutOf(facts.pool, facts.deployments, facts.sets);
  if (!rollout) return row('Update', 'none under way');
  return [...row('Update', rolloutText(rollout)), ...rollout.what.map((text) => `${' '.repeat(16)}${text}`)];
}

/** What `describe nodepool` prints: what blocks, a few facts, the update, and the tree. */
export function nodePoolText(facts: NodePoolFacts, colors: Terminal['colors'], nowMs: number): string {
  const { pool } = facts;
  const { spec, status, metadata } = pool;
  const blocker = blockerOf(facts);
  const by = [blocker?.condition, blocker?.reason].filter(Boolean).join(', ');
  return [
    ...(blocker
      ? [
          `${colors.red(colors.bold('Blocked by:'))} ${oneLine(blocker.message)}`,
          `  ${colors.dim(`told by ${blocker.subject}${by ? ` (${by})` : ''}`)}`,
          '',
        ]
      : []),
    ...row('Name', `${metadata.namespace}/${metadata.name}`),
    ...row('Cluster', spec.clusterName),
    ...row('Platform', `${spec.platform.type}, ${spec.arch}`),
    ...row('Size', replicasText(pool)),
    ...row('Release', status?.version ?? spec.release.image),
    ...row('Upgrades', `${spec.management.upgradeType}${spec.management.autoRepair ? ', repairs itself' : ''}`),
    ...rolloutLines(facts),
    ...row('Age', ageOf(metadata.creationTimestamp, nowMs)),
    '',
    treeText(nodePoolNode(pool, facts.machines), colors),
  ].join('\n');
}

/** The same for programs. */
export function nodePoolReport(facts: NodePoolFacts) {
  return {
    blockedBy: blockerOf(facts) ?? null,
    rollout: rolloutOf(facts.pool, facts.deployments, facts.sets) ?? null,
    tree: nodePoolNode(facts.pool, facts.machines),
  };
}
