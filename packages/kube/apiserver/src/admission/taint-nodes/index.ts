import type { Draft } from '../../kinds/behaviour.ts';
import type { AdmissionPlugin } from '../admission.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/** A node that has just been registered takes no pods until the node lifecycle controller saw it ready. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  handles: ({ resource, operation, subresource }) =>
    operation === 'CREATE' && subresource === '' && resource.group === '' && resource.resource === 'nodes',
  mutate({ object }) {
    const spec = (object!['spec'] ??= {}) as Draft;
    const taints = (spec['taints'] ?? []) as readonly Draft[];
    if (!taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect))
      spec['taints'] = [...taints, { ...notReady }];
  },
};
