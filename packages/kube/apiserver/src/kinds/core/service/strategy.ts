import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../../behaviour.ts';
import { child, items } from '../../defaulting.ts';
import { isEmpty, listOf, specOf } from '../../values.ts';

const allocated = new Set(['ClusterIP', 'NodePort', 'LoadBalancer']);

/** A new Service has no load balancer yet. */
export function prepareServiceForCreate(service: Draft): void {
  service['status'] = { loadBalancer: {} };
}

/**
 * A writer that leaves out what the server once allocated keeps it: addresses, families, node ports and the health
 * check port. A writer that changes the type gives up what the new type has no use for.
 */
export function prepareServiceForUpdate(service: Draft, old: UnstructuredObject): void {
  const spec = child(service, 'spec');
  const before = specOf(old);
  const keepsAddress = allocated.has(spec['type']) && allocated.has(before['type']);
  if (keepsAddress) {
    keepAddresses(spec, before);
    if (isEmpty(spec['ipFamilies']) && !isEmpty(before['ipFamilies']) && sameFamilyPolicy(spec, before))
      spec['ipFamilies'] = before['ipFamilies'];
    if (isEmpty(spec['ipFamilyPolicy'])) copy(spec, before, 'ipFamilyPolicy');
  }
  if (usesNodePorts(spec) && usesNodePorts(before)) keepNodePorts(spec, before);
  if (needsHealthCheckPort(spec) && needsHealthCheckPort(before) && isEmpty(spec['healthCheckNodePort']))
    copy(spec, before, 'healthCheckNodePort');
  dropUnusedFields(spec, before);
}

function sameFamilyPolicy(spec: Draft, before: Draft): boolean {
  return isEmpty(spec['ipFamilyPolicy']) || spec['ipFamilyPolicy'] === before['ipFamilyPolicy'];
}

function keepAddresses(spec: Draft, before: Draft): void {
  const given = !isEmpty(spec['clusterIP']);
  const givenList = !isEmpty(spec['clusterIPs']);
  if (!given && !givenList) {
    copy(spec, before, 'clusterIP');
    copy(spec, before, 'clusterIPs');
  } else if (given && !givenList) {
    // An old client that knows only the single field and did not change it means the whole list.
    spec['clusterIPs'] = spec['clusterIP'] === before['clusterIP'] ? before['clusterIPs'] : [spec['clusterIP']];
  }
}

function keepNodePorts(spec: Draft, before: Draft): void {
  const known = new Map(listOf(before['ports']).map((port) => [portKey(port), port['nodePort']]));
  const taken = new Set(items(spec, 'ports').map((port) => portNumberKey(port, port['nodePort'])));
  for (const port of items(spec, 'ports')) {
    if (!isEmpty(port['nodePort'])) continue;
    const nodePort = known.get(portKey(port));
    if (!isEmpty(nodePort) && !taken.has(portNumberKey(port, nodePort))) port['nodePort'] = nodePort;
  }
}

function portKey(port: Draft): string {
  return `${port['port']}/${port['protocol']}`;
}

function portNumberKey(port: Draft, nodePort: number | undefined): string {
  return `${nodePort}/${port['protocol']}`;
}

function usesNodePorts(spec: Draft): boolean {
  return (
    spec['type'] === 'NodePort' || (spec['type'] === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] !== false)
  );
}

function needsHealthCheckPort(spec: Draft): boolean {
  return spec['type'] === 'LoadBalancer' && spec['externalTrafficPolicy'] === 'Local';
}

/** A field that only the old type used, and that the writer carried over unchanged, goes with the old type. */
function dropUnusedFields(spec: Draft, before: Draft): void {
  if (spec['type'] === before['type']) return;
  const dropIfSame = (key: string) => {
    if (JSON.stringify(spec[key]) === JSON.stringify(before[key])) delete spec[key];
  };
  if (spec['type'] === 'ExternalName') for (const key of addressFields) dropIfSame(key);
  else dropIfSame('externalName');
  if (!usesNodePorts(spec)) {
    const known = new Map(listOf(before['ports']).map((port) => [portKey(port), port['nodePort']]));
    for (const port of items(spec, 'ports'))
      if (!isEmpty(port['nodePort']) && known.get(portKey(port)) === port['nodePort']) delete port['nodePort'];
  }
  if (!needsHealthCheckPort(spec)) dropIfSame('healthCheckNodePort');
  if (spec['type'] !== 'LoadBalancer') {
    dropIfSame('allocateLoadBalancerNodePorts');
    dropIfSame('loadBalancerClass');
  }
  const external = spec['type'] === 'LoadBalancer' || spec['type'] === 'NodePort' || !isEmpty(spec['externalIPs']);
  if (!external) dropIfSame('externalTrafficPolicy');
}

const addressFields = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy'] as const;

function copy(to: Draft, from: Draft, key: string): void {
  if (from[key] !== undefined) to[key] = from[key];
}
