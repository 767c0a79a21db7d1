import type { KubeObject } from '@hypershift-ts/kube-apimachinery';

/** An InfraMachine or InfraCluster of any platform. */
export interface InfraObject extends KubeObject {
  readonly spec?: object;
  readonly status?: object;
}

/** A template of InfraMachines of any platform. */
export interface InfraTemplate extends KubeObject {
  readonly spec: { readonly template: { readonly spec: object } };
}
