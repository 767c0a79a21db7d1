/** What is known about one finalizer. */
export interface FinalizerFacts {
  readonly key: string;
  readonly on: readonly string[];
  readonly meaning: string;
}

/** Finalizers of HyperShift by their name in code: `finalizers.hypershift.key`. */
export const finalizers = {
  hypershift: {
    key: 'hypershift.openshift.io/finalizer',
    on: ['HostedCluster', 'HostedControlPlane', 'NodePool'],
    meaning: 'The operator still has to take down what belongs to the object.',
  },
  component: {
    key: 'hypershift.openshift.io/component-finalizer',
    on: ['Deployment'],
    meaning: 'cluster-api and capi-provider must run until the machines are gone.',
  },
  controlPlaneOperator: {
    key: 'hypershift.openshift.io/control-plane-operator-finalizer',
    on: ['AWSEndpointService'],
    meaning: 'The endpoint in the network of the nodes still exists.',
  },
  hypershiftOperator: {
    key: 'hypershift.openshift.io/hypershift-operator-finalizer',
    on: ['AWSEndpointService'],
    meaning: 'The endpoint service on the management side still exists.',
  },
  gcpPrivateServiceConnect: {
    key: 'hypershift.openshift.io/gcp-private-service-connect',
    on: ['GCPPrivateServiceConnect'],
    meaning: 'Service attachment, endpoint or names still exist in GCP.',
  },
  awsOidcDiscovery: {
    key: 'hypershift.io/aws-oidc-discovery',
    on: ['HostedCluster'],
    meaning: 'OpenID documents of the cluster are still published.',
  },
  dedicatedRequestServingScheduler: {
    key: 'hypershift.openshift.io/dedicated-request-serving-scheduler',
    on: ['HostedCluster'],
    meaning: 'Nodes are still reserved for the cluster.',
  },
  destroyCluster: {
    key: 'openshift.io/destroy-cluster',
    on: ['HostedCluster'],
    meaning: 'The command line still has to remove infrastructure it created.',
  },
} as const satisfies { readonly [name: string]: FinalizerFacts };
