import type { AWSMachineProviderConfig } from '@hypershift-ts/machines-machine-api';
import type { awsv1beta2 } from '@hypershift-ts/machines-providers';
import { isControlPlane } from '../control-plane.ts';
import type { Findings } from '../findings.ts';
import type { ToClusterApi } from '../platform-conversion.ts';

type LoadBalancer = NonNullable<AWSMachineProviderConfig['loadBalancers']>[number];
type ClusterSpec = awsv1beta2.AWSClusterSpec;

const types: { readonly [clusterApi: string]: LoadBalancer['type'] } = {
  '': 'classic',
  classic: 'classic',
  elb: 'classic',
  nlb: 'network',
};

/** The load balancers that members of the control plane stand behind: the cluster has them, not the machine. */
export function loadBalancersToMachineApi(
  cluster: ClusterSpec = {},
  path: string,
  findings: Findings,
): readonly LoadBalancer[] {
  const found: LoadBalancer[] = [];
  for (const field of ['controlPlaneLoadBalancer', 'secondaryControlPlaneLoadBalancer'] as const) {
    const { name, loadBalancerType = '' }: { name?: string; loadBalancerType?: string } = cluster[field] ?? {};
    if (!name) continue;
    const type = Object.hasOwn(types, loadBalancerType) ? types[loadBalancerType] : undefined;
    if (type) found.push({ name, type });
    else
      findings.invalid(
        `${path}.${field}.loadBalancerType`,
        loadBalancerType,
        'unable to convert load balancer type, unknown value',
      );
  }
  return found;
}

/** A member of the control plane must name exactly the load balancers of its AWSCluster: Cluster API uses no others. */
export function checkLoadBalancers({
  spec,
  machine,
  cluster,
  findings,
  path,
}: ToClusterApi<AWSMachineProviderConfig, awsv1beta2.AWSCluster>): void {
  if (!isControlPlane(machine)) return;
  const field = `${path}.loadBalancers`;
  const listed = spec.loadBalancers ?? [];
  if (!cluster?.spec?.controlPlaneLoadBalancer?.name) {
    findings.invalid(field, listed, 'no control plane load balancer configured on AWSCluster');
    return;
  }
  const expected = loadBalancersToMachineApi(cluster.spec, 'spec', findings);
  for (const [index, { name, type }] of listed.entries()) {
    const match = expected.find((balancer) => balancer.name === name);
    if (!match)
      findings.invalid(`${field}[${index}].name`, name, `unexpected load balancer "${name}" defined on machine`);
    else if (match.type !== type)
      findings.invalid(
        `${field}[${index}].type`,
        type,
        `load balancer "${name}" must be of type "${match.type}" to match AWSCluster`,
      );
  }
  for (const { name } of expected)
    if (!listed.some((balancer) => balancer.name === name))
      findings.invalid(field, listed, `must include load balancer named "${name}"`);
}
