import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { cpuUtilizationMetric, defaultCpuUtilization } from '../autoscaling/defaults.ts';
import type { Draft } from '../behaviour.ts';
import { fieldsOf, isEmpty, isSet, listOf, specOf, statusOf } from '../values.ts';
import { convertMetric } from './metric-shapes.ts';

/** Where autoscaling/v1 keeps what only v2 can say. */
const annotation = {
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
  currentMetrics: 'autoscaling.alpha.kubernetes.io/current-metrics',
  behavior: 'autoscaling.alpha.kubernetes.io/behavior',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
} as const;

const carriers = new Set<string>(Object.values(annotation));

function isCpuUtilization(metric: Draft): boolean {
  const resource = fieldsOf(metric['resource']);
  return (
    metric['type'] === 'Resource' &&
    resource['name'] === 'cpu' &&
    isSet(fieldsOf(resource['target'])['averageUtilization'])
  );
}

/** Copies the object with the annotations that carry v2 fields taken out. */
function base(object: UnstructuredObject, apiVersion: string): { result: Draft; annotations: Draft } {
  const annotations: Draft = {};
  for (const [key, value] of Object.entries(object.metadata.annotations ?? {}))
    if (!carriers.has(key)) annotations[key] = value;
  const metadata: Draft = { ...object.metadata, annotations };
  return { result: { ...object, apiVersion, metadata }, annotations };
}

function dropEmptyAnnotations(result: Draft): UnstructuredObject {
  if (isEmpty(result['metadata'].annotations)) delete result['metadata'].annotations;
  return result as UnstructuredObject;
}

/** An autoscaling/v2 autoscaler as autoscaling/v1. */
export function autoscalerToV1(object: UnstructuredObject): UnstructuredObject {
  const { result, annotations } = base(object, 'autoscaling/v1');
  const { metrics, behavior, ...spec } = specOf(object);
  const { currentMetrics, conditions, ...status } = statusOf(object);
  const cpu = listOf(metrics).find(isCpuUtilization);
  const others = listOf(metrics).filter((metric) => !isCpuUtilization(metric));
  result['spec'] = spec;
  if (cpu) spec['targetCPUUtilizationPercentage'] = fieldsOf(fieldsOf(cpu['resource'])['target'])['averageUtilization'];
  if (others.length > 0)
    annotations[annotation.metrics] = JSON.stringify(others.map((metric) => convertMetric(metric, 'specToV1')));
  if (isSet(behavior)) annotations[annotation.behavior] = JSON.stringify(behavior);
  if (object['status'] !== undefined) {
    result['status'] = { currentReplicas: 0, ...status };
    for (const metric of listOf(currentMetrics)) {
      const resource = fieldsOf(metric['resource']);
      const utilization = fieldsOf(resource['current'])['averageUtilization'];
      if (metric['type'] === 'Resource' && resource['name'] === 'cpu' && isSet(utilization))
        result['status'].currentCPUUtilizationPercentage = utilization;
    }
    if (!isEmpty(currentMetrics))
      annotations[annotation.currentMetrics] = JSON.stringify(
        listOf(currentMetrics).map((metric) => convertMetric(metric, 'statusToV1')),
      );
    if (!isEmpty(conditions)) annotations[annotation.conditions] = JSON.stringify(conditions);
  }
  return dropEmptyAnnotations(result);
}

/** An autoscaling/v1 autoscaler as autoscaling/v2. */
export function autoscalerToV2(object: UnstructuredObject): UnstructuredObject {
  const { result } = base(object, 'autoscaling/v2');
  const { targetCPUUtilizationPercentage: cpu, ...spec } = specOf(object);
  const kept = (name: keyof typeof annotation) => parsed(object.metadata.annotations?.[annotation[name]]);
  const metrics = listOf(kept('metrics')).map((metric) => convertMetric(metric, 'specToV2'));
  if (isSet(cpu)) metrics.push(cpuUtilizationMetric(cpu));
  spec['metrics'] = metrics.length > 0 ? metrics : [cpuUtilizationMetric(defaultCpuUtilization)];
  const behavior = kept('behavior');
  if (!isEmpty(behavior)) spec['behavior'] = lowerCaseKeys(behavior);
  result['spec'] = spec;
  if (object['status'] !== undefined) {
    const { currentCPUUtilizationPercentage: currentCpu, ...status } = statusOf(object);
    const currentMetrics = listOf(kept('currentMetrics')).map((metric) => convertMetric(metric, 'statusToV2'));
    if (currentMetrics.length > 0) status['currentMetrics'] = currentMetrics;
    else if (isSet(currentCpu))
      status['currentMetrics'] = [
        { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: currentCpu } } },
      ];
    const conditions = kept('conditions');
    if (!isEmpty(conditions)) status['conditions'] = conditions;
    result['status'] = status;
  }
  return dropEmptyAnnotations(result);
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The real server writes the behaviour with Go's field names, `ScaleUp`; it reads either. */
function lowerCaseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerCaseKeys);
  if (typeof value !== 'object' || value === null) return value;
  const result: Draft = {};
  for (const [key, inner] of Object.entries(value)) {
    if (inner === null) continue;
    result[key.slice(0, 1).toLowerCase() + key.slice(1)] = lowerCaseKeys(inner);
  }
  return result;
}
