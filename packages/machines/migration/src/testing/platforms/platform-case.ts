import type { ClusterFacts } from '../../conversion/cluster-facts.ts';
import type { Hints } from '../arbitrary.ts';

interface SpecCase {
  readonly base: object;
  readonly hints: Hints;
  /** Values for fields that do not take any. */
  readonly samples?: { readonly [path: string]: unknown };
}

/** What a suite has to know about a platform in order to make up machines that survive a round trip. */
export interface PlatformCase {
  readonly name: string;
  readonly facts: ClusterFacts;
  /** A small provider spec without anything to complain about, and how others are made up. */
  readonly providerSpec: SpecCase;
  /** The same for the spec of an InfraMachine. */
  readonly infraSpec: SpecCase;
  /** Fields of an InfraMachine that make sense together only; one set is laid over each that is made up. */
  readonly variants?: readonly object[];
  /** The failure domains that machines are made up with, where not every name will do. */
  readonly failureDomains?: readonly string[];
}

export const never = (): undefined => undefined;

/** Facts of a cluster with this InfraCluster. */
export function factsWith(kind: string, spec: object, more: Partial<ClusterFacts> = {}): ClusterFacts {
  return {
    infrastructure: { infrastructureName: 'prod-x7k2p' },
    infraCluster: {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
      kind,
      metadata: { name: 'prod-x7k2p', namespace: 'openshift-cluster-api' },
      spec,
    },
    now: '2026-01-01T00:00:00Z',
    ...more,
  };
}
