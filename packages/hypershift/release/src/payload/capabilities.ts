import { ReleaseError } from '../errors.ts';

const prefix = 'io.openshift.hypershift.';

/** Labels of a control-plane-operator image that tell what it does by itself. Presence counts, not the value. */
export const capabilityLabels = {
  subcommands: `${prefix}control-plane-operator-subcommands`,
  skipsHaproxy: `${prefix}control-plane-operator-skips-haproxy`,
  ignitionServerHealthz: `${prefix}ignition-server-healthz-handler`,
  managesIgnitionServer: `${prefix}control-plane-operator-manages-ignition-server`,
  managesMachineApprover: `${prefix}control-plane-operator-manages.cluster-machine-approver`,
  managesClusterAutoscaler: `${prefix}control-plane-operator-manages.cluster-autoscaler`,
  decompressesConfig: `${prefix}control-plane-operator-manages.decompress-decode-config`,
  createsAwsSecurityGroup: `${prefix}control-plane-operator-creates-aws-sg`,
  appliesManagementKasNetworkPolicyLabel: `${prefix}control-plane-operator-applies-management-kas-network-policy-label`,
  restrictedPodSecurity: `${prefix}restricted-psa`,
  pkiOperatorSignsCsrs: `${prefix}control-plane-pki-operator-signs-csrs`,
  reportsNodeCount: `${prefix}hosted-cluster-config-operator-reports-node-count`,
  supportsKasCustomKubeconfig: `${prefix}control-plane-operator-supports-kas-custom-kubeconfig`,
  defaultsToV2: `${prefix}control-plane-operator.v2-isdefault`,
} as const;

export type CpoCapabilities = { readonly [name in keyof typeof capabilityLabels]: boolean };

/** What a control-plane-operator image can do, from its labels. */
export function cpoCapabilities(labels: Readonly<Record<string, string>>): CpoCapabilities {
  const present = Object.entries(capabilityLabels).map(([name, label]) => [name, Object.hasOwn(labels, label)]);
  return Object.fromEntries(present) as CpoCapabilities;
}

/** The labels of an image that has every capability: what ours carry. */
export function allCapabilityLabels(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.values(capabilityLabels).map((label) => [label, 'true']));
}

/** Reads annotation control-plane-operator-image-labels, `label=value,label=value`, which stands in for the image's own. */
export function parseImageLabels(text: string, hostedCluster: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').map((pair, index) => {
    const parts = pair.split('=');
    if (parts.length !== 2)
      throw new ReleaseError('RELEASE_OVERRIDE_INVALID', {
        message: `hosted cluster ${hostedCluster} annotation ${index} malformed: label ${pair} not in key=value form`,
        fix: 'write the annotation as label=value,label=value',
        field: 'metadata.annotations',
      });
    return parts as [string, string];
  });
  return Object.fromEntries(pairs);
}
