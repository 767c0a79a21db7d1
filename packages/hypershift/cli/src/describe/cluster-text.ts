import type { Terminal } from '../terminal/index.ts';
import { ageOf } from '../terminal/index.ts';
import { oneLine } from '../progress/index.ts';
import { clusterTree } from './cluster-tree.ts';
import type { ClusterFacts } from './facts.ts';
import { rootCause } from './root-cause.ts';
import { treeText } from './tree.ts';

const row = (name: string, value: string | undefined) => (value ? [`${`${name}:`.padEnd(15)} ${value}`] : []);

function endpoint({ cluster }: ClusterFacts): string | undefined {
  const { host, port } = cluster.status?.controlPlaneEndpoint ?? {};
  return host ? `https://${host}:${port}` : undefined;
}

function versionOf({ cluster }: ClusterFacts): string | undefined {
  const entry = cluster.status?.version?.history?.[0];
  if (!entry) return undefined;
  return `${entry.version || cluster.spec.release.image} (${entry.state === 'Completed' ? 'installed' : 'being installed'})`;
}

/** What `describe cluster` prints: the root cause, a few facts, and the tree. */
export function clusterText(facts: ClusterFacts, colors: Terminal['colors'], nowMs: number): string {
  const { cluster } = facts;
  const cause = rootCause(facts);
  const by = [cause?.condition, cause?.reason].filter(Boolean).join(', ');
  const top = cause
    ? [
        `${colors.red(colors.bold('Root cause:'))} ${oneLine(cause.message)}`,
        `  ${colors.dim(`told by ${cause.subject}${by ? ` (${by})` : ''}`)}`,
        '',
      ]
    : [];
  return [
    ...top,
    ...row('Name', `${cluster.metadata.namespace}/${cluster.metadata.name}`),
    ...row('Platform', cluster.spec.platform.type),
    ...row('Release', versionOf(facts) ?? cluster.spec.release.image),
    ...row('API server', endpoint(facts)),
    ...row('Infra ID', cluster.spec.infraID),
    ...row('Age', ageOf(cluster.metadata.creationTimestamp, nowMs)),
    '',
    treeText(clusterTree(facts), colors),
  ].join('\n');
}
