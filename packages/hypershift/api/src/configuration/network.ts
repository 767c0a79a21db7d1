/** The hosted cluster's own view of its network. */
import { toleration } from '../common/scheduling.ts';
import { enumOf, int32, list, object, string, stringMap } from '../schema/index.ts';

export const podNetworkRange = object({
  cidr: string().optional().describe('Range pods get addresses from.'),
  hostPrefix: int32({ minimum: 0 }).optional().describe('Prefix length of the piece each node gets.'),
});

export const externalIPPolicy = object({
  allowedCIDRs: list(string(), { type: 'atomic' }).optional().describe('Ranges external IPs of Services may lie in.'),
  rejectedCIDRs: list(string(), { type: 'atomic' }).optional().describe('Ranges they may not lie in; these win.'),
}).describe('Which external IPs users may give to Services; absent allows none, an empty policy as well.');

export const externalIP = object({
  autoAssignCIDRs: list(string(), { type: 'atomic' })
    .optional()
    .describe('Range from which Services of type LoadBalancer get an external IP, for bare metal; one range at most.'),
  policy: externalIPPolicy.optional(),
}).describe('External IPs of Services.');

export const diagnosticsPlacement = object({
  nodeSelector: stringMap().optional().describe('Labels a node must have; absent means any Linux node.'),
  tolerations: list(toleration, { type: 'atomic' })
    .optional()
    .describe('Taints to put up with; absent means none for the source and all for targets.'),
});

export const networkDiagnostics = object({
  mode: enumOf(['', 'All', 'Disabled'])
    .optional()
    .describe('Whether the network is probed all the time; empty means the default, at present `All`.'),
  sourcePlacement: diagnosticsPlacement.optional().describe('Where the prober runs.'),
  targetPlacement: diagnosticsPlacement.optional().describe('Where the probed pods run.'),
}).describe('Continuous check of connections between nodes, Services and the API server.');

export const networkConfiguration = object({
  clusterNetwork: list(podNetworkRange, { type: 'atomic' })
    .optional()
    .describe('Pod ranges as the hosted cluster shows them; taken from `spec.networking`, so leave it out.'),
  externalIP: externalIP.optional(),
  networkDiagnostics: networkDiagnostics.optional().gate('NetworkDiagnosticsConfig'),
  networkObservability: object({
    installationPolicy: enumOf(['InstallAndEnable', 'NoAction']).describe(
      'Whether the network observability operator is installed at once or nothing is done.',
    ),
  })
    .optional()
    .gate('NetworkObservabilityInstall')
    .describe('Installation of network observability.'),
  networkType: string()
    .optional()
    .describe('Network plugin as the hosted cluster shows it; taken from `spec.networking`, so leave it out.'),
  serviceNetwork: list(string(), { type: 'atomic' })
    .optional()
    .describe('Service ranges as the hosted cluster shows them; taken from `spec.networking`, so leave it out.'),
  serviceNodePortRange: string({
    pattern:
      '^([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])-([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$',
  })
    .optional()
    .describe('Ports for Services of type NodePort, as `from-to`; absent means 30000-32767.'),
})
  .describe("External IPs, node ports and diagnostics of the hosted cluster's network.")
  .rule(
    "!has(self.networkDiagnostics) || !has(self.networkDiagnostics.mode) || self.networkDiagnostics.mode!='Disabled' || !has(self.networkDiagnostics.sourcePlacement) && !has(self.networkDiagnostics.targetPlacement)",
    'cannot set networkDiagnostics.sourcePlacement and networkDiagnostics.targetPlacement when networkDiagnostics.mode is Disabled',
  );
