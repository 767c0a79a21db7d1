import type { FeatureSet } from '@hypershift-ts/hypershift-api';
import type { InfrastructureProvider } from '@hypershift-ts/machines-providers';

/** What an installation looks like. */
export interface InstallOptions {
  readonly namespace: string;
  /** Image that holds this program. */
  readonly image: string;
  /** How the operator is started in it. */
  readonly command: readonly string[];
  readonly replicas: number;
  readonly featureSet: FeatureSet;
  /** Providers whose kinds are installed; all when absent. */
  readonly providers?: readonly InfrastructureProvider[];
  /** The Route kind, for clusters that are not OpenShift but have somebody who serves Routes. */
  readonly routes: boolean;
  readonly webhooks: readonly ('mutating' | 'validating')[];
  /** Certificates of the webhook server; needed when there are webhooks. */
  readonly webhookCertificates?: WebhookCertificates;
  /** Content of `.dockerconfigjson` for the operator's image. */
  readonly pullSecret?: string;
  /** Certificate authorities the operator trusts beside the usual ones. */
  readonly trustBundle?: string;
  /** Roles for people: who may manage and who may see hosted clusters. */
  readonly userRoles: boolean;
  readonly registryOverrides?: string;
  /** `platform=image,...` of Cluster API providers. */
  readonly providerImages?: string;
  /** Where documents are published that AWS trusts clusters by. */
  readonly oidcBucket?: OidcBucket;
  /** The same on Google Cloud. */
  readonly gcpOidcBucket?: string;
}

export interface OidcBucket {
  readonly name: string;
  readonly region: string;
  /** Secret in the namespace with a credentials file under this key. */
  readonly secret: { readonly name: string; readonly key: string };
  /** The file, when the Secret is to be made. */
  readonly credentials?: string;
}

export interface WebhookCertificates {
  readonly authorityPem: string;
  readonly certificatePem: string;
  readonly keyPem: string;
}

export const installDefaults = {
  namespace: 'hypershift',
  image: 'registry.example.com/hypershift-ts:latest',
  command: ['hypershift', 'operator', 'run'],
  replicas: 1,
  featureSet: 'Default',
  routes: false,
  webhooks: [],
  userRoles: false,
} as const satisfies InstallOptions;
