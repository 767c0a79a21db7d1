import type { InfraObject } from './infra-objects.ts';

/** One failure domain of vSphere, as Infrastructure `cluster` describes it below `spec.platformSpec.vsphere`. */
export interface VSphereFailureDomain {
  readonly name: string;
  readonly region?: string;
  readonly zone?: string;
  readonly server: string;
  readonly topology?: {
    readonly datacenter?: string;
    readonly datastore?: string;
    readonly folder?: string;
    readonly resourcePool?: string;
  };
  readonly zoneAffinity?: { readonly hostGroup?: { readonly vmGroup?: string } };
}

/** The part of Infrastructure `cluster` that machines depend on. */
export interface InfrastructureFacts {
  readonly infrastructureName: string;
  /** Where machines reach the API server: `https://api-int.prod.example.com:6443`. */
  readonly apiServerInternalURI?: string;
  readonly platformStatus?: {
    readonly type?: string;
    readonly aws?: { readonly region?: string; readonly ipFamily?: string };
  };
  readonly vsphereFailureDomains?: readonly VSphereFailureDomain[];
}

/** What a conversion knows beside the objects it converts. */
export interface ClusterFacts {
  readonly infrastructure: InfrastructureFacts;
  /** The InfraCluster of the platform, named like the infrastructure. */
  readonly infraCluster?: InfraObject;
  /** Azure writes it into resource ids; it stands in the credentials, not in the cluster's own objects. */
  readonly azureSubscriptionID?: string;
  /** RFC 3339, in whole seconds: when new conditions came to be. */
  readonly now: string;
}
