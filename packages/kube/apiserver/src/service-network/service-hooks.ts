import { fieldError, formatTime, statusErrors, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../kinds/behaviour.ts';
import type { ResourceHooks, Undo } from '../registry/registry.ts';
import type { Allocator, ClaimOwner } from './allocations.ts';

export interface ServiceNetwork {
  readonly ips: Allocator;
  readonly ports: Allocator;
  readonly cidr: string;
  readonly nodePortRange: string;
  readonly now: () => number;
  readonly newUid: () => string;
}

const service = { group: '', kind: 'Service' };

/** Gives Services their cluster IP and node ports, and takes them back. */
export function serviceHooks(network: ServiceNetwork): ResourceHooks {
  return {
    beforeCreate: (draft) => allocate(network, draft as Draft, undefined),
    // The same spec holds the same addresses.
    beforeUpdate: (draft, old) => (draft['spec'] === old['spec'] ? undefined : allocate(network, draft as Draft, old)),
    afterUpdate: (object, old) => releaseUnused(network, object as Draft, old as Draft),
    afterDelete: (object) => {
      for (const ip of clusterIps(object as Draft)) void network.ips.release(ip);
      for (const port of nodePorts(object as Draft)) void network.ports.release(String(port));
    },
  };
}

async function allocate(network: ServiceNetwork, draft: Draft, old: UnstructuredObject | undefined): Promise<Undo> {
  const taken: (() => void)[] = [];
  const undo = (): void => taken.forEach((release) => release());
  const owner: ClaimOwner = {
    namespace: draft['metadata'].namespace,
    name: draft['metadata'].name,
    now: formatTime(network.now()),
    newUid: network.newUid,
  };
  try {
    await allocateIp(network, draft, old as Draft | undefined, owner, taken);
    await allocatePorts(network, draft, old as Draft | undefined, owner, taken);
    await allocateHealthCheckPort(network, draft, old as Draft | undefined, owner, taken);
  } catch (error) {
    undo();
    throw error;
  }
  return undo;
}

async function allocateIp(
  network: ServiceNetwork,
  draft: Draft,
  old: Draft | undefined,
  owner: ClaimOwner,
  taken: (() => void)[],
): Promise<void> {
  const spec = draft['spec'];
  if (spec.type === 'ExternalName') {
    delete spec.clusterIP;
    delete spec.clusterIPs;
    return;
  }
  spec.ipFamilies ??= ['IPv4'];
  spec.ipFamilyPolicy ??= 'SingleStack';
  const wanted = spec.clusterIP || spec.clusterIPs?.[0] || old?.['spec'].clusterIP;
  if (wanted === 'None') {
    Object.assign(spec, { clusterIP: 'None', clusterIPs: ['None'] });
    return;
  }
  if (wanted && wanted === old?.['spec'].clusterIP) {
    Object.assign(spec, { clusterIP: wanted, clusterIPs: old!['spec'].clusterIPs ?? [wanted] });
    return;
  }
  const ip = wanted ? await claimIp(network, wanted, owner) : await network.ips.claimAny(owner);
  if (!ip) throw statusErrors.internal(`failed to allocate a serviceIP: range ${network.cidr} is full`);
  taken.push(() => void network.ips.release(ip));
  Object.assign(spec, { clusterIP: ip, clusterIPs: [ip] });
}

async function claimIp(network: ServiceNetwork, ip: string, owner: ClaimOwner): Promise<string> {
  if (!network.ips.contains(ip))
    throw statusErrors.invalid(service, owner.name, [
      fieldError.invalid(
        'spec.clusterIPs',
        [ip],
        `failed to allocate IP ${ip}: the provided IP (${ip}) is not in the valid range. The range of valid IPs is ${network.cidr}`,
      ),
    ]);
  if (!(await network.ips.claim(ip, owner)))
    throw statusErrors.invalid(service, owner.name, [
      fieldError.invalid('spec.clusterIPs', [ip], `failed to allocate IP ${ip}: provided IP is already allocated`),
    ]);
  return ip;
}

async function allocatePorts(
  network: ServiceNetwork,
  draft: Draft,
  old: Draft | undefined,
  owner: ClaimOwner,
  taken: (() => void)[],
): Promise<void> {
  const spec = draft['spec'];
  const wanted =
    spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);
  const held = new Map<string, number>();
  for (const port of old?.['spec'].ports ?? [])
    if (port.nodePort) held.set(`${port.protocol}/${port.port}`, port.nodePort);
  const heldPorts = new Set(held.values());
  for (const [index, port] of (spec.ports ?? []).entries()) {
    // Validation says so where a port of the node makes no sense.
    if (!wanted) continue;
    port.nodePort ||= held.get(`${port.protocol}/${port.port}`);
    if (port.nodePort && heldPorts.has(port.nodePort)) continue;
    if (port.nodePort) {
      const reason = !network.ports.contains(String(port.nodePort))
        ? `provided port is not in the valid range. The range of valid ports is ${network.nodePortRange}`
        : (await network.ports.claim(String(port.nodePort), owner))
          ? undefined
          : 'provided port is already allocated';
      if (reason)
        throw statusErrors.invalid(service, owner.name, [
          fieldError.invalid(`spec.ports[${index}].nodePort`, port.nodePort, reason),
        ]);
    } else {
      const free = await network.ports.claimAny(owner);
      if (!free) throw statusErrors.internal(`failed to allocate a nodePort: range ${network.nodePortRange} is full`);
      port.nodePort = Number(free);
    }
    const claimed = port.nodePort;
    taken.push(() => void network.ports.release(String(claimed)));
  }
}

/** Load balancers that keep to local pods ask this port of a node whether it has any. */
async function allocateHealthCheckPort(
  network: ServiceNetwork,
  { spec }: Draft,
  old: Draft | undefined,
  owner: ClaimOwner,
  taken: (() => void)[],
): Promise<void> {
  if (spec.type !== 'LoadBalancer' || spec.externalTrafficPolicy !== 'Local') return;
  const wanted: number | undefined = spec.healthCheckNodePort;
  if (wanted !== undefined && wanted === old?.['spec'].healthCheckNodePort) return;
  if (wanted !== undefined && !network.ports.contains(String(wanted))) return;
  const port = wanted === undefined ? await network.ports.claimAny(owner) : String(wanted);
  if (port === undefined)
    throw statusErrors.internal(`failed to allocate a nodePort: range ${network.nodePortRange} is full`);
  if (wanted !== undefined && !(await network.ports.claim(port, owner)))
    throw statusErrors.invalid(service, owner.name, [
      fieldError.invalid('spec.healthCheckNodePort', wanted, 'provided port is already allocated'),
    ]);
  spec.healthCheckNodePort = Number(port);
  taken.push(() => void network.ports.release(port));
}

function releaseUnused(network: ServiceNetwork, next: Draft, old: Draft): void {
  const ips = new Set(clusterIps(next));
  for (const ip of clusterIps(old)) if (!ips.has(ip)) void network.ips.release(ip);
  const ports = new Set(nodePorts(next));
  for (const port of nodePorts(old)) if (!ports.has(port)) void network.ports.release(String(port));
}

function clusterIps(object: Draft): string[] {
  return ((object['spec']?.clusterIPs ?? []) as string[]).filter((ip) => ip !== 'None' && ip !== '');
}

function nodePorts(object: Draft): number[] {
  const { ports = [], healthCheckNodePort } = (object['spec'] ?? {}) as {
    ports?: { nodePort?: number }[];
    healthCheckNodePort?: number;
  };
  return [...ports.map(({ nodePort }) => nodePort), healthCheckNodePort].filter((port) => port !== undefined);
}
