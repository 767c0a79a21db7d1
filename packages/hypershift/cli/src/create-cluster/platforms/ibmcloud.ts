import { present } from '../json-fields.ts';
import type { NodeBuilder, PlatformBuilder } from '../platform-builder.ts';
import { ingressServices } from '../services.ts';

const nodes: NodeBuilder = {
  flags: [],
  upgradeType: 'Replace',
  build: () => ({ type: 'IBMCloud' }),
};

/** IBM Cloud: nodes come from its own service; only the control plane is ours. */
export const ibmcloud: PlatformBuilder = {
  type: 'IBMCloud',
  command: 'ibmcloud',
  summary: 'A control plane for nodes that IBM Cloud makes',
  examples: ['hypershift create cluster ibmcloud --name demo --pull-secret pull-secret.json --render'],
  nodes,
  build(flags, request) {
    return {
      spec: {
        platform: { type: 'IBMCloud', ibmcloud: present({ providerType: flags.text('provider-type') }) },
        services: ingressServices({ apiServerRoute: request.externalDnsDomain !== undefined }),
      },
      objects: [],
      nodePools: [{ platform: nodes.build(flags, request) }],
    };
  },
};
