import type { Draft } from '../../behaviour.ts';
import { fieldsOf, listOf } from '../../values.ts';
import { quantityIsPositive, quantitiesEqual } from '../resources/compare.ts';

const counted = ['cpu', 'memory'] as const;

/** Guaranteed when every container limits CPU and memory to what it requests, BestEffort when nothing is asked for. */
export function qosClass(spec: Draft): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const podLevel = fieldsOf(spec['resources']);
  const owners =
    spec['resources'] === undefined
      ? [...listOf(spec['containers']), ...listOf(spec['initContainers'])].map((c) => fieldsOf(c['resources']))
      : [podLevel];
  let asked = false;
  let guaranteed = owners.length > 0;
  for (const resources of owners) {
    const requests = fieldsOf(resources['requests']);
    const limits = fieldsOf(resources['limits']);
    for (const name of counted) {
      const request = quantityIsPositive(requests[name]);
      const limit = quantityIsPositive(limits[name]);
      if (request || limit) asked = true;
      if (!limit || (request && !quantitiesEqual(requests[name], limits[name]))) guaranteed = false;
    }
  }
  if (!asked) return 'BestEffort';
  return guaranteed ? 'Guaranteed' : 'Burstable';
}
