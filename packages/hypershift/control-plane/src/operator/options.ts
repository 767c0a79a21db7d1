import { type ReleaseProvider, operatorFamily } from '@hypershift-ts/hypershift-release';
import type { CloudAccounts } from '@hypershift-ts/hypershift-platforms';
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import type { EventRecorder, LeaderElectionOptions, Logger } from '@hypershift-ts/kube-controller';
import type { KeySource } from '@hypershift-ts/kube-pki';
import type { Component } from '../framework/component.ts';
import type { OperatorSettings } from '../framework/context.ts';
import type { NetworkChecks } from './health/network-checks.ts';

/** What the operator of one control plane is started with. */
export interface ControlPlaneOperatorOptions {
  /** The management cluster, as the operator's own service account. */
  readonly client: Client;
  /** The control plane's namespace; it holds one HostedControlPlane. */
  readonly namespace: string;
  readonly releases: ReleaseProvider;
  /** Images that win over the release's, by component name; see `operatorImagesFrom`. */
  readonly images?: Readonly<Record<string, string>>;
  /** The only release image this operator works on; absent means any. */
  readonly operateOnReleaseImage?: string;
  readonly settings?: OperatorSettings;
  /** Keys for certificates; a KeyPool's `take`, so that none is made on the event loop. */
  readonly keys?: KeySource;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly events?: EventRecorder;
  readonly signal: AbortSignal;
  /** Absent: this process is the only one. */
  readonly leaderElection?: LeaderElectionOptions;
  readonly components?: readonly Component[];
  /** How the published API server and its name are looked at from outside. */
  readonly checks?: NetworkChecks;
  /** How clouds are called; without one, conditions say that nobody calls the cloud. */
  readonly accounts?: CloudAccounts;
}

const imageVariables: Readonly<Record<(typeof operatorFamily)[number], string>> = {
  'controlplane-operator': 'CONTROL_PLANE_OPERATOR_IMAGE',
  'hosted-cluster-config-operator': 'HOSTED_CLUSTER_CONFIG_OPERATOR_IMAGE',
  'availability-prober': 'AVAILABILITY_PROBER_IMAGE',
  'token-minter': 'TOKEN_MINTER_IMAGE',
  'controlplane-pki-operator': 'CONTROL_PLANE_OPERATOR_IMAGE',
  'socks5-proxy': 'SOCKS5_PROXY_IMAGE',
};

/** The images that the operator's Deployment names in its environment. */
export function operatorImagesFrom(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const named = operatorFamily.map((name) => [name, env[imageVariables[name]] ?? ''] as const);
  return Object.fromEntries(named.filter(([, image]) => image !== ''));
}

/** The settings that the operator's Deployment names in its environment and on its command line. */
export function operatorSettingsFrom(
  env: Readonly<Record<string, string | undefined>>,
  flags: { readonly registryOverrides?: Readonly<Record<string, string>>; readonly enableCiDebugOutput?: boolean } = {},
): OperatorSettings {
  const text = (key: string, name: string) => (env[name] ? { [key]: env[name] } : {});
  const uid = Number(env['DEFAULT_SECURITY_CONTEXT_UID'] || Number.NaN);
  return {
    ...flags,
    ...text('openshiftImageOverrides', 'OPENSHIFT_IMG_OVERRIDES'),
    ...text('certRotationScale', 'CERT_ROTATION_SCALE'),
    ...text('metricsSet', 'METRICS_SET'),
    ...text('featureSet', 'HYPERSHIFT_FEATURESET'),
    ...text('certificateValidity', 'CERTIFICATE_VALIDITY'),
    ...text('certificateRenewalPercentage', 'CERTIFICATE_RENEWAL_PERCENTAGE'),
    ...(Number.isInteger(uid) ? { defaultSecurityContextUid: uid } : {}),
  };
}
