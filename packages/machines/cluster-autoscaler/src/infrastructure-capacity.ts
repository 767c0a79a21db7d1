import { isJsonObject, isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { ResourceTypes } from '@hypershift-ts/machines-cluster-api';
import type { NodeGroup } from './node-group.ts';

/** `status.capacity` of a group's infrastructure template, which providers may publish for scaling from zero. */
export type CapacityReader = (group: NodeGroup) => Promise<{ readonly [resource: string]: string } | undefined>;

export function capacityReader(client: Client, namespace: string): CapacityReader {
  const types = new ResourceTypes(client);
  return async ({ owner }) => {
    const ref = owner.spec.template?.spec.infrastructureRef;
    if (!ref?.name) return undefined;
    try {
      const template = await client.get(await types.typeOf(ref), { namespace, name: ref.name });
      const { status } = template;
      const capacity = isJsonObject(status) ? status['capacity'] : undefined;
      if (!isJsonObject(capacity)) return undefined;
      const amounts = Object.entries(capacity).filter(([, amount]) => ['string', 'number'].includes(typeof amount));
      return Object.fromEntries(amounts.map(([resource, amount]) => [resource, `${amount as string | number}`]));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };
}
