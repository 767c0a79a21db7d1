import { ageOf, table, type Terminal } from '../terminal/index.ts';
import type { StatusReport } from './report.ts';
import { runtimeText } from './runtimes.ts';

const row = (name: string, value: string) => `  ${`${name}:`.padEnd(12)} ${value}`;

/** The report for people. */
export function statusText(report: StatusReport, colors: Terminal['colors'], nowMs: number): string {
  const { managementCluster: management, hostedClusters } = report;
  const kind = management.embedded ? ' (embedded)' : '';
  const lines = [
    colors.bold('Management cluster'),
    row('server', `${management.server}${kind}`),
    row('chosen by', management.source),
    row('version', management.version),
    row('nodes', `${management.nodes.ready} of ${management.nodes.total} ready`),
    row('operator', management.operator),
    row('pods', runtimeText(management.pods)),
    '',
    colors.bold('Hosted clusters'),
  ];
  if (hostedClusters.length === 0)
    return [...lines, '  none; create one: hypershift create cluster none --name demo --wait'].join('\n');
  const rows = hostedClusters.map((cluster) => [
    cluster.namespace,
    cluster.name,
    cluster.platform,
    cluster.version || '-',
    cluster.available,
    `${cluster.nodes.ready}/${cluster.nodes.wanted}`,
    runtimeText(cluster.pods),
    ageOf(cluster.createdAt, nowMs),
  ]);
  const header = ['NAMESPACE', 'NAME', 'PLATFORM', 'VERSION', 'AVAILABLE', 'NODES', 'PODS', 'AGE'];
  const troubled = hostedClusters.filter(({ message }) => message !== undefined);
  const why = troubled.map(({ namespace, name, message }) => `${colors.red('✗')} ${namespace}/${name}: ${message}`);
  return [...lines, table(header, rows), ...(why.length > 0 ? ['', ...why] : [])].join('\n');
}
