import type { Draft } from '../../behaviour.ts';
import { child, items, maybe, setDefault } from '../../defaulting.ts';

const clientAffinitySeconds = 10_800;

/** Fills in a Service; addresses and node ports are given out by the allocator, not here. */
export function defaultService(service: Draft): void {
  const spec = child(service, 'spec');
  setDefault(spec, 'sessionAffinity', 'None');
  if (spec['sessionAffinity'] === 'None') delete spec['sessionAffinityConfig'];
  if (spec['sessionAffinity'] === 'ClientIP') {
    const timeout = maybe(maybe(spec, 'sessionAffinityConfig'), 'clientIP')?.['timeoutSeconds'];
    if (timeout === undefined || timeout === null)
      spec['sessionAffinityConfig'] = { clientIP: { timeoutSeconds: clientAffinitySeconds } };
  }
  setDefault(spec, 'type', 'ClusterIP');
  for (const port of items(spec, 'ports')) {
    setDefault(port, 'protocol', 'TCP');
    setDefault(port, 'targetPort', port['port']);
    if (port['targetPort'] === 0) port['targetPort'] = port['port'];
  }
  const type = spec['type'];
  const external =
    type === 'LoadBalancer' ||
    type === 'NodePort' ||
    (type === 'ClusterIP' && Array.isArray(spec['externalIPs']) && spec['externalIPs'].length > 0);
  if (external) setDefault(spec, 'externalTrafficPolicy', 'Cluster');
  if (type === 'ClusterIP' || type === 'NodePort' || type === 'LoadBalancer')
    setDefault(spec, 'internalTrafficPolicy', 'Cluster');
  if (type === 'LoadBalancer') {
    setDefault(spec, 'allocateLoadBalancerNodePorts', true);
    for (const ingress of items(maybe(maybe(service, 'status'), 'loadBalancer'), 'ingress'))
      if (ingress['ip']) setDefault(ingress, 'ipMode', 'VIP');
  }
}
