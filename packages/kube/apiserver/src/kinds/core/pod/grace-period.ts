import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { numberOf, specOf, statusOf, textOf } from '../../values.ts';

/** Seconds a pod's containers get to stop. Nobody has to stop a pod that no node runs or that has finished. */
export function podGracePeriod(pod: UnstructuredObject, requested: number | undefined): number {
  const spec = specOf(pod);
  const phase = statusOf(pod)['phase'];
  if (textOf(spec['nodeName']) === '' || phase === 'Failed' || phase === 'Succeeded') return 0;
  const seconds = requested ?? numberOf(spec['terminationGracePeriodSeconds']);
  return seconds < 0 ? 1 : seconds;
}
