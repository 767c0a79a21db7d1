import { controlPlaneComponents, hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { appsv1, corev1, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { isUrgent } from './urgency.ts';

const an = (type: ResourceType<KubeObject>, status?: object, generation = 1): KubeObject =>
  ({ apiVersion: '', kind: type.kind, metadata: { name: 'a', generation }, spec: { replicas: 1 }, status }) as never;
const condition = (type: string, status: string, message = '') => ({ conditions: [{ type, status, message }] });
const ready = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
const deployment = (status?: object, generation?: number) => an(appsv1.deployments, status, generation);
const component = (status: object) => an(controlPlaneComponents, status);

describe('isUrgent', () => {
  it.each([
    ['others made something', corev1.secrets, an(corev1.secrets), undefined, false, true],
    ['it made something', corev1.secrets, an(corev1.secrets), undefined, true, false],
    ['others changed something', corev1.configmaps, an(corev1.configmaps), an(corev1.configmaps), false, true],
    ['a pod was made', appsv1.deployments, deployment({ replicas: 1 }), deployment(), false, false],
    ['a pod is ready', appsv1.deployments, deployment(ready), deployment({ replicas: 1 }), false, true],
    ['others edit a workload', appsv1.deployments, deployment(ready, 2), deployment(ready), false, true],
    [
      'a component is there',
      controlPlaneComponents,
      component(condition('Available', 'True')),
      component(condition('Available', 'False')),
      true,
      true,
    ],
    [
      'a component waits for something else',
      controlPlaneComponents,
      component(condition('Available', 'False', 'b')),
      component(condition('Available', 'False', 'a')),
      true,
      false,
    ],
    [
      'it told of progress',
      hostedControlPlanes,
      an(hostedControlPlanes, condition('Available', 'False', 'b')),
      an(hostedControlPlanes, condition('Available', 'False', 'a')),
      true,
      false,
    ],
    [
      'a kubeconfig is known',
      hostedControlPlanes,
      an(hostedControlPlanes, { kubeConfig: { name: 'a' } }),
      an(hostedControlPlanes, {}),
      true,
      true,
    ],
  ] as const)('When %s, it should know whether that can wait', (_, type, object, previous, isOwn, expected) => {
    expect(isUrgent(type as ResourceType<KubeObject>, object, previous, isOwn)).toBe(expected);
  });
});
