/** The hosted cluster's own view of its network. */
import { toleration } from '../common/scheduling.ts';
import { enumOf, int32, list, object, string, stringMap } from '../schema/index.ts';

export const podNetworkRange = object({
  cidr: string().optional(),
  hostPrefix: int32({ minimum: 0 }).optional(),
});

export const externalIPPolicy = object({
  allowedCIDRs: list(string(), { type: 'atomic' }).optional(),
  rejectedCIDRs: list(string(), { type: 'atomic' }).optional(),
});

export const externalIP = object({
  autoAssignCIDRs: list(string(), { type: 'atomic' }).optional(),
  policy: externalIPPolicy.optional(),
});

export const diagnosticsPlacement = object({
  nodeSelector: stringMap().optional(),
  tolerations: list(toleration, { type: 'atomic' }).optional(),
});

export const networkDiagnostics = object({
  mode: enumOf(['', 'All', 'Disabled']).optional(),
  sourcePlacement: diagnosticsPlacement.optional(),
  targetPlacement: diagnosticsPlacement.optional(),
});

export const networkConfiguration = object({
  clusterNetwork: list(podNetworkRange, { type: 'atomic' }).optional(),
  externalIP: externalIP.optional(),
  networkDiagnostics: networkDiagnostics.optional().gate('NetworkDiagnosticsConfig'),
  networkObservability: object({
    installationPolicy: enumOf(['InstallAndEnable', 'NoAction']),
  })
    .optional()
    .gate('NetworkObservabilityInstall'),
  networkType: string().optional(),
  serviceNetwork: list(string(), { type: 'atomic' }).optional(),
  serviceNodePortRange: string({
    pattern:
      '^([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])-([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$',
  }).optional(),
}).rule(
  "!has(self.networkDiagnostics) || !has(self.networkDiagnostics.mode) || self.networkDiagnostics.mode!='Disabled' || !has(self.networkDiagnostics.sourcePlacement) && !has(self.networkDiagnostics.targetPlacement)",
  'cannot set networkDiagnostics.sourcePlacement and networkDiagnostics.targetPlacement when networkDiagnostics.mode is Disabled',
);
