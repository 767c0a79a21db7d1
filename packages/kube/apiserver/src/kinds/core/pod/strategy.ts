import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Draft, WriteScope } from '../../behaviour.ts';
import { child } from '../../defaulting.ts';
import { listOf, specOf, statusOf } from '../../values.ts';
import { qosClass } from './quality-of-service.ts';

/** A new pod waits: whatever state the creator claimed is replaced. */
export function preparePodForCreate(pod: Draft, scope: WriteScope): void {
  const spec = child(pod, 'spec');
  const status: Draft = { phase: 'Pending', qosClass: qosClass(spec) };
  if (listOf(spec['schedulingGates']).length > 0) {
    status['conditions'] = [
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: new Date(scope.now).toISOString().replace(/\.\d+Z$/, 'Z'),
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      },
    ];
  }
  pod['status'] = status;
}

/** Ephemeral containers have their own subresource and are out of reach here. */
export function preparePodForUpdate(pod: Draft, old: UnstructuredObject): void {
  const before = specOf(old)['ephemeralContainers'];
  const spec = child(pod, 'spec');
  if (spec['ephemeralContainers'] === before) return;
  if (before === undefined) delete spec['ephemeralContainers'];
  else spec['ephemeralContainers'] = before;
}

/** The QoS class is decided once, at creation, and reporters that do not know the field must not lose it. */
export function preparePodStatus(pod: Draft, old: UnstructuredObject): void {
  const status = child(pod, 'status');
  if (!status['qosClass']) status['qosClass'] = statusOf(old)['qosClass'] ?? qosClass(specOf(old));
  const ip = listOf(status['podIPs'])[0]?.['ip'];
  if (status['podIP']) {
    if (status['podIP'] !== ip) status['podIPs'] = [{ ip: status['podIP'] }];
  } else if (ip) status['podIP'] = ip;
}
