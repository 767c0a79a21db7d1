/** Agent: nodes are hosts registered with the assisted installer. */
import type { Platform } from '../platform.ts';
import { plainPlatform, traits } from '../shared/plain-platform.ts';
import { managing } from '../shared/verbs.ts';
import { agentGuest } from './guest.ts';
import { agentAccess, agentAccessKeys } from './access.ts';
import { agentProvider } from './provider.ts';
import { agentMachines } from './machines.ts';

export const agent: Platform = plainPlatform('Agent', {
  machines: agentMachines,
  guest: agentGuest,
  // Control planes of released versions know nothing of agents and treat such a cluster like one without a platform.
  traits: traits('Agent', { controlPlaneType: 'None' }),
  infrastructure: ({ cluster, namespace, endpoint }) => {
    // Hosts are prepared with this address when the object appears, so it must be right from the start.
    const ignition = cluster.status?.ignitionEndpoint;
    if (!ignition) return undefined;
    return {
      before: [],
      cluster: {
        apiVersion: 'capi-provider.agent-install.openshift.io/v1beta1',
        kind: 'AgentCluster',
        metadata: { name: cluster.metadata.name ?? '', namespace },
        spec: {
          ignitionEndpoint: {
            url: `https://${ignition}/ignition`,
            caCertificateReference: { name: 'ignition-server-ca-cert', namespace },
          },
          controlPlaneEndpoint: endpoint,
        },
      },
    };
  },
  provider: agentProvider,
  policyRules: [
    { apiGroups: ['extensions.hive.openshift.io'], resources: ['agentclusterinstalls'], verbs: managing },
    { apiGroups: ['capi-provider.agent-install.openshift.io'], resources: ['*'], verbs: managing },
    { apiGroups: ['hive.openshift.io'], resources: ['clusterdeployments'], verbs: managing },
  ],
  credentials: agentAccess,
  credentialsOutside: agentAccessKeys,
  flags: [
    { name: 'api-server-address', value: 'string', description: 'Address of the API server for clients outside.' },
    { name: 'agent-namespace', value: 'string', required: true, description: 'Namespace with the hosts.' },
    { name: 'agentLabelSelector', value: 'string', description: 'Labels of hosts to take.' },
  ],
});
