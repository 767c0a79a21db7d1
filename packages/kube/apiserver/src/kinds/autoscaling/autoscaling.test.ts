import { describe, expect, it } from 'vitest';
import type { KindBehaviour } from '../behaviour.ts';
import { cellsOf, created, faults } from '../testing/objects.ts';
import { autoscalingKinds } from './index.ts';

const hpa = autoscalingKinds['horizontalpodautoscalers.autoscaling'] as KindBehaviour;
const v2 = 'autoscaling/v2';
const target = { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 5 };
const cpu = (fields: object) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', ...fields } },
});

describe('horizontal pod autoscalers', () => {
  it('When metrics and behaviour are short, it should complete them', () => {
    expect(created(hpa, { apiVersion: v2, spec: { ...target, behavior: { scaleDown: {} } } })['spec']).toMatchObject({
      minReplicas: 1,
      metrics: [cpu({ averageUtilization: 80 })],
      behavior: {
        scaleUp: {
          stabilizationWindowSeconds: 0,
          selectPolicy: 'Max',
          policies: [
            { type: 'Pods', value: 4, periodSeconds: 15 },
            { type: 'Percent', value: 100, periodSeconds: 15 },
          ],
        },
        scaleDown: { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
      },
    });
  });

  it.each<[object, string[]]>([
    [target, []],
    [
      { ...target, maxReplicas: 0 },
      [
        'spec.maxReplicas: Invalid value: 0: must be greater than 0',
        'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
      ],
    ],
    [
      { maxReplicas: 1 },
      [
        'spec.scaleTargetRef.kind: Required value',
        'spec.scaleTargetRef.name: Required value',
        'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group',
      ],
    ],
    [
      { ...target, metrics: [cpu({})] },
      [
        'spec.metrics[0].resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization',
      ],
    ],
    [
      { ...target, metrics: [{ type: 'Pods' }] },
      ['spec.metrics[0].pods: Required value: must populate information for the given metric source'],
    ],
  ])('When one is judged, it should answer as upstream does (%#)', (spec, expected) => {
    expect(faults(hpa, { apiVersion: v2, spec })).toEqual(expected);
  });

  it.each([
    [[cpu({ averageUtilization: 50 })], [], 'cpu: <unknown>/50%'],
    [
      [cpu({ averageUtilization: 50 })],
      [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 12 } } }],
      'cpu: 12%/50%',
    ],
    [
      [1, 2, 3].map(() => ({ type: 'Pods', pods: { target: { averageValue: '10' } } })),
      [],
      '<unknown>/10, <unknown>/10 + 1 more...',
    ],
    [[], [], '<none>'],
  ])('When one is listed, it should show its targets (%#)', (metrics, currentMetrics, expected) => {
    const cells = cellsOf(hpa, {
      apiVersion: v2,
      spec: { ...target, minReplicas: 2, metrics },
      status: { currentMetrics },
    });
    expect(cells).toEqual(['thing', 'Deployment/web', expected, '2', 5, 0, '10m']);
  });
});
