import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Column, Draft } from '../behaviour.ts';
import { autoscalerToV2 } from '../conversions/horizontal-pod-autoscaler.ts';
import { ageColumn, ageOf, nameColumn, nameOf, text } from '../table/columns.ts';
import { fieldsOf, isSet, listOf, numberOf, specOf, statusOf, textOf } from '../values.ts';

export const autoscalerColumns: readonly Column[] = [
  nameColumn,
  text('Reference', 'What is scaled.'),
  text('Targets', 'Current and wanted metrics.'),
  text('MinPods', 'Fewest replicas.'),
  text('MaxPods', 'Most replicas.'),
  text('Replicas', 'Replicas now.'),
  ageColumn,
];

export function autoscalerCells(object: UnstructuredObject, now: number): readonly unknown[] {
  const autoscaler = object.apiVersion === 'autoscaling/v1' ? autoscalerToV2(object) : object;
  const spec = specOf(autoscaler);
  const status = statusOf(autoscaler);
  const target = fieldsOf(spec['scaleTargetRef']);
  return [
    nameOf(autoscaler),
    `${textOf(target['kind'])}/${textOf(target['name'])}`,
    targetsText(listOf(spec['metrics']), listOf(status['currentMetrics'])),
    isSet(spec['minReplicas']) ? String(spec['minReplicas']) : '<unset>',
    numberOf(spec['maxReplicas']),
    numberOf(status['currentReplicas']),
    ageOf(autoscaler, now),
  ];
}

const maxShown = 2;

function targetsText(specs: readonly Draft[], statuses: readonly Draft[]): string {
  if (specs.length === 0) return '<none>';
  const texts = specs.map((metric, index) => targetText(metric, fieldsOf(statuses[index])));
  const shown = texts.slice(0, maxShown).join(', ');
  return texts.length > maxShown ? `${shown} + ${texts.length - maxShown} more...` : shown;
}

const sources: Readonly<Record<string, string>> = {
  External: 'external',
  Pods: 'pods',
  Object: 'object',
  Resource: 'resource',
  ContainerResource: 'containerResource',
};

function targetText(metric: Draft, status: Draft): string {
  const key = sources[textOf(metric['type'])];
  if (key === undefined) return '<unknown type>';
  const source = fieldsOf(metric[key]);
  const target = fieldsOf(source['target']);
  const current = isSet(status[key]) ? fieldsOf(fieldsOf(status[key])['current']) : undefined;
  const currentOf = (field: string) => (isSet(current?.[field]) ? String(current?.[field]) : '<unknown>');
  if (key === 'resource' || key === 'containerResource') {
    const name = textOf(source['name']);
    if (isSet(target['averageValue'])) return `${name}: ${currentOf('averageValue')}/${target['averageValue']}`;
    const percent = (value: number | undefined, none: string) => (isSet(value) ? `${value}%` : none);
    return `${name}: ${percent(current?.['averageUtilization'], '<unknown>')}/${percent(target['averageUtilization'], '<auto>')}`;
  }
  if (key === 'pods') return `${currentOf('averageValue')}/${target['averageValue']}`;
  return isSet(target['averageValue'])
    ? `${currentOf('averageValue')}/${target['averageValue']} (avg)`
    : `${currentOf('value')}/${target['value']}`;
}
