import { describe, expect, it } from 'vitest';
import { anObject } from '../testing/objects.ts';
import { eventFieldToCore, eventFromCore, eventToCore } from './events.ts';
import { autoscalerToV1, autoscalerToV2 } from './horizontal-pod-autoscaler.ts';

describe('horizontal pod autoscalers', () => {
  const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } };
  const v2 = anObject({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { annotations: { team: 'a' } },
    spec: {
      scaleTargetRef: { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' },
      minReplicas: 2,
      maxReplicas: 5,
      metrics: [
        { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } },
        {
          type: 'Pods',
          pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '10' } },
        },
        {
          type: 'Object',
          object: {
            metric: { name: 'hits', selector: { matchLabels: { a: 'b' } } },
            describedObject: { kind: 'Ingress', name: 'main' },
            target: { type: 'Value', value: '2k' },
          },
        },
        {
          type: 'External',
          external: { metric: { name: 'queue' }, target: { type: 'AverageValue', averageValue: '5' } },
        },
        cpu,
      ],
      behavior: { scaleDown: { selectPolicy: 'Max', policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] } },
    },
    status: {
      currentReplicas: 3,
      desiredReplicas: 3,
      conditions: [{ type: 'AbleToScale', status: 'True' }],
      currentMetrics: [
        { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 60, averageValue: '300m' } } },
      ],
    },
  });

  it('When one goes to v1 and back, it should be the same', () => {
    expect(autoscalerToV2(autoscalerToV1(v2))).toEqual(v2);
  });

  it('When one is read as v1, it should show the CPU target and keep the rest in annotations', () => {
    const v1 = autoscalerToV1(v2);
    expect(v1['spec']).toEqual({
      scaleTargetRef: { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' },
      minReplicas: 2,
      maxReplicas: 5,
      targetCPUUtilizationPercentage: 70,
    });
    expect(v1['status']).toMatchObject({ currentReplicas: 3, currentCPUUtilizationPercentage: 60 });
    expect(Object.keys(v1.metadata.annotations ?? {}).sort()).toEqual([
      'autoscaling.alpha.kubernetes.io/behavior',
      'autoscaling.alpha.kubernetes.io/conditions',
      'autoscaling.alpha.kubernetes.io/current-metrics',
      'autoscaling.alpha.kubernetes.io/metrics',
      'team',
    ]);
  });

  it('When v1 names no target, it should aim at 80 percent', () => {
    const object = autoscalerToV2(anObject({ apiVersion: 'autoscaling/v1', spec: { maxReplicas: 3 } }));
    expect(object['spec']).toMatchObject({ metrics: [{ resource: { target: { averageUtilization: 80 } } }] });
  });

  it('When the behaviour annotation was written by a real server, it should be understood', () => {
    const object = autoscalerToV2(
      anObject({
        apiVersion: 'autoscaling/v1',
        metadata: {
          annotations: {
            'autoscaling.alpha.kubernetes.io/behavior':
              '{"ScaleUp":null,"ScaleDown":{"StabilizationWindowSeconds":60,"Policies":[{"Type":"Pods","Value":1,"PeriodSeconds":15}]}}',
          },
        },
        spec: { maxReplicas: 3 },
      }),
    );
    expect(object['spec']).toMatchObject({
      behavior: {
        scaleDown: { stabilizationWindowSeconds: 60, policies: [{ type: 'Pods', value: 1, periodSeconds: 15 }] },
      },
    });
  });
});

describe('events', () => {
  it('When an event goes to the other face and back, it should be the same', () => {
    const event = anObject({
      apiVersion: 'v1',
      kind: 'Event',
      involvedObject: { kind: 'Pod', name: 'p' },
      message: 'hello',
      source: { component: 'c' },
      count: 2,
      firstTimestamp: null,
      lastTimestamp: '2026-06-01T11:00:00Z',
      reportingComponent: 'c',
      reason: 'Tested',
    });
    const other = eventFromCore(event);
    expect(other).toMatchObject({
      apiVersion: 'events.k8s.io/v1',
      regarding: { kind: 'Pod' },
      note: 'hello',
      deprecatedCount: 2,
      reportingController: 'c',
    });
    expect(eventToCore(other)).toEqual(event);
  });

  it('When a field selector names the new fields, it should reach the old ones', () => {
    expect(eventFieldToCore('regarding.name')).toBe('involvedObject.name');
    expect(eventFieldToCore('reportingController')).toBe('reportingComponent');
    expect(eventFieldToCore('type')).toBe('type');
  });
});
