import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Column } from '../../behaviour.ts';
import { humanDuration } from '../../human-duration.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text, wide } from '../../table/columns.ts';
import { orNone } from '../../table/format.ts';
import { listOf, specOf, statusOf } from '../../values.ts';
import type { Draft } from '../../behaviour.ts';
import { summarizePod } from './status-text.ts';

export const podColumns: readonly Column[] = [
  nameColumn,
  text('Ready', 'How many containers are ready, of how many there are.'),
  text('Status', 'What the pod is doing, in one word.'),
  text('Restarts', 'How often its containers were restarted, and when last.'),
  ageColumn,
  wide(text('IP', 'Address of the pod.')),
  wide(text('Node', 'Node it was scheduled to.')),
  wide(text('Nominated Node', 'Node on which room is being made for it.')),
  wide(text('Readiness Gates', 'How many of its readiness gates are true.')),
];

export function podCells(pod: UnstructuredObject, now: number): readonly unknown[] {
  const spec = specOf(pod);
  const status = statusOf(pod);
  const summary = summarizePod(pod.metadata, spec, status);
  const { restarts, lastRestart } = summary;
  return [
    nameOf(pod),
    `${summary.ready}/${summary.total}`,
    summary.status,
    restarts > 0 && lastRestart !== undefined
      ? `${restarts} (${humanDuration(now - lastRestart)} ago)`
      : String(restarts),
    ageOf(pod, now),
    orNone(listOf(status['podIPs'])[0]?.['ip']),
    orNone(spec['nodeName']),
    orNone(status['nominatedNodeName']),
    readinessGates(spec, status),
  ];
}

function readinessGates(spec: Draft, status: Draft): string {
  const gates = listOf(spec['readinessGates']);
  if (gates.length === 0) return '<none>';
  const conditions = listOf(status['conditions']);
  const open = gates.filter((gate) => {
    const condition = conditions.find((entry) => entry['type'] === gate['conditionType']);
    return condition?.['status'] === 'True';
  });
  return `${open.length}/${gates.length}`;
}
