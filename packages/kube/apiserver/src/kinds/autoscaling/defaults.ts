import type { Draft } from '../behaviour.ts';
import { child, maybe, setDefault } from '../defaulting.ts';
import { isEmpty, isSet } from '../values.ts';

export const defaultCpuUtilization = 80;

export function cpuUtilizationMetric(averageUtilization: number): Draft {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}

/**
 * Fills in an autoscaler of either version. The target of v1 is filled in when it is converted, because only then is
 * it known whether an annotation carries other metrics.
 */
export function defaultAutoscaler(autoscaler: Draft): void {
  const spec = child(autoscaler, 'spec');
  setDefault(spec, 'minReplicas', 1);
  if (autoscaler['apiVersion'] === 'autoscaling/v1') return;
  if (isEmpty(spec['metrics'])) spec['metrics'] = [cpuUtilizationMetric(defaultCpuUtilization)];
  const behavior = maybe(spec, 'behavior');
  if (!behavior) return;
  const up = child(behavior, 'scaleUp');
  if (!isSet(up['stabilizationWindowSeconds'])) up['stabilizationWindowSeconds'] = 0;
  setDefault(up, 'selectPolicy', 'Max');
  if (!isSet(up['policies']))
    up['policies'] = [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ];
  const down = child(behavior, 'scaleDown');
  setDefault(down, 'selectPolicy', 'Max');
  if (!isSet(down['policies'])) down['policies'] = [{ type: 'Percent', value: 100, periodSeconds: 15 }];
}
