import type { AWSMachineProviderConfig } from '@hypershift-ts/machines-machine-api';
import type { awsv1beta2 } from '@hypershift-ts/machines-providers';
import type { ToInfraCluster } from '../platform-conversion.ts';

type LoadBalancer = NonNullable<AWSMachineProviderConfig['loadBalancers']>[number];
type ClusterLoadBalancer = NonNullable<awsv1beta2.AWSClusterSpec['controlPlaneLoadBalancer']>;

/** What a running cluster says of itself, as an AWSCluster that nobody has to build. */
export function awsInfraCluster({
  spec,
  infrastructure,
  endpoint,
  findings,
  path,
}: ToInfraCluster<AWSMachineProviderConfig>): awsv1beta2.AWSClusterSpec {
  const { region, ipFamily } = infrastructure.platformStatus?.aws ?? {};
  const balancers = inOrder(spec.loadBalancers ?? []);
  if (balancers.length < 1 || balancers.length > 2)
    findings.invalid(`${path}.loadBalancers`, balancers, 'must name one or two load balancers');
  const [primary, secondary] = balancers;
  return {
    ...(region ? { region } : {}),
    controlPlaneEndpoint: endpoint,
    identityRef: { kind: 'AWSClusterControllerIdentity', name: 'default' },
    ...(primary ? { controlPlaneLoadBalancer: balancer(primary, 'internal') } : {}),
    ...(secondary ? { secondaryControlPlaneLoadBalancer: balancer(secondary, 'internet-facing') } : {}),
    ...(ipFamily?.startsWith('DualStack') ? { network: { vpc: { ipv6: {} } } } : {}),
  };
}

/** The internal one is first; by its name one knows it. */
function inOrder(balancers: readonly LoadBalancer[]): readonly LoadBalancer[] {
  const isInternal = ({ name }: LoadBalancer) => name.endsWith('-int');
  return [...balancers.filter(isInternal), ...balancers.filter((other) => !isInternal(other))];
}

function balancer({ name, type }: LoadBalancer, scheme: 'internal' | 'internet-facing'): ClusterLoadBalancer {
  return { name, scheme, loadBalancerType: type === 'network' ? 'nlb' : 'classic' };
}
