/** Which schema parts belong to which feature gate, and which gates a feature set turns on. */

export const featureSets = ['Default', 'TechPreviewNoUpgrade', 'CustomNoUpgrade'] as const;
export type FeatureSet = (typeof featureSets)[number];

/** A gate, what it adds, and the first feature set that turns it on. Every later set keeps it on. */
interface FeatureGate {
  readonly since: FeatureSet;
  readonly adds: string;
}

export const featureGates = {
  ExternalOIDC: { since: 'Default', adds: 'OIDC providers in configuration.authentication' },
  ExternalOIDCWithUIDAndExtraClaimMappings: { since: 'Default', adds: 'uid and extra claim mappings' },
  ExternalOIDCWithUpstreamParity: { since: 'Default', adds: 'discovery URL, CEL claim and user validation rules' },
  HyperShiftOnlyDynamicResourceAllocation: { since: 'Default', adds: 'dynamic resource allocation in the scheduler' },
  NetworkDiagnosticsConfig: { since: 'Default', adds: 'placement and mode of network diagnostics' },
  GCPPlatform: { since: 'TechPreviewNoUpgrade', adds: 'the GCP platform and GCPPrivateServiceConnect' },
  OpenStack: { since: 'TechPreviewNoUpgrade', adds: 'the OpenStack platform' },
  HCPEtcdBackup: { since: 'TechPreviewNoUpgrade', adds: 'etcd backup settings and HCPEtcdBackup' },
  EtcdSharding: { since: 'TechPreviewNoUpgrade', adds: 'etcd shards and their placement' },
  OSStreams: { since: 'TechPreviewNoUpgrade', adds: 'the operating system stream of a NodePool' },
  ClusterVersionOperatorConfiguration: { since: 'TechPreviewNoUpgrade', adds: 'log level of the version operator' },
  TLSAdherence: { since: 'TechPreviewNoUpgrade', adds: 'how strictly components follow the TLS profile' },
  DisableClusterCapabilities: { since: 'TechPreviewNoUpgrade', adds: 'nothing in the schemas any more' },
  AROHCPManagedIdentities: { since: 'CustomNoUpgrade', adds: 'nothing in the schemas any more' },
  KMSEncryption: { since: 'CustomNoUpgrade', adds: 'KMS encryption in configuration.apiServer' },
  TLSGroupPreferences: { since: 'CustomNoUpgrade', adds: 'key exchange groups of a custom TLS profile' },
  ExternalOIDCExternalClaimsSourcing: { since: 'CustomNoUpgrade', adds: 'claims fetched from other endpoints' },
  ImageStreamImportMode: { since: 'CustomNoUpgrade', adds: 'image stream import mode, architecture of a release' },
  IngressComponentRouteLabels: { since: 'CustomNoUpgrade', adds: 'labels of component routes' },
  NetworkObservabilityInstall: { since: 'CustomNoUpgrade', adds: 'installation policy of network observability' },
  ClusterUpdateAcceptRisks: { since: 'CustomNoUpgrade', adds: 'names and conditions of update risks' },
} as const satisfies { readonly [name: string]: FeatureGate };

export type FeatureGateName = keyof typeof featureGates;

/** The gates that are on in a feature set. */
export function gatesOf(set: FeatureSet): ReadonlySet<FeatureGateName> {
  const reached = featureSets.slice(0, featureSets.indexOf(set) + 1);
  const names = Object.keys(featureGates) as FeatureGateName[];
  return new Set(names.filter((name) => (reached as readonly string[]).includes(featureGates[name].since)));
}
