/** Section by section what a control plane's PKI consists of, as data. */
import type { PkiFacts } from '../facts.ts';
import { clientLeaves } from './client-leaves.ts';
import { etcdLeaves } from './etcd-leaves.ts';
import { metricsLeaves } from './metrics-leaves.ts';
import { servingLeaves } from './serving-leaves.ts';
import type { LeafSpec } from './specs.ts';

export { authoritiesOf, clientSigners } from './authorities.ts';
export { bundlesOf, totalClientCa, trustedCaBundle } from './bundles.ts';
export { serviceAccountSecret } from './client-leaves.ts';
export { kubeconfigsOf } from './kubeconfigs.ts';
export { awsLeaves, azureLeaves } from './platform-leaves.ts';
export * from './specs.ts';

/** Every leaf Secret of a control plane. */
export function leavesOf(facts: PkiFacts): readonly LeafSpec[] {
  return [...etcdLeaves(facts), ...clientLeaves(facts), ...servingLeaves(facts), ...metricsLeaves(facts)];
}
