import type { certificatesv1 } from '@hypershift-ts/kube-apimachinery';
import { type Certificate, ipBytes } from '@hypershift-ts/kube-pki';
import type { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { hostName, type NodeRequest, nodeGroup } from './node-request.ts';

type Csr = certificatesv1.CertificateSigningRequest;
type Machine = capiv1beta1.Machine;

const bootstrapGroups = [
  'system:serviceaccounts:openshift-machine-config-operator',
  'system:serviceaccounts',
  'system:authenticated',
];
const skewMs = 10_000;
const joinWindowMs = 2 * 3_600_000;

/** Why a request is not approved: what was expected and what was found. */
export type Problem = string | undefined;

const some = (values: readonly unknown[] | undefined) => (values?.length ?? 0) > 0;

function usagesProblem(usages: readonly string[] = [], purpose: 'client auth' | 'server auth'): Problem {
  const required = ['digital signature', purpose];
  const fits = required.every((usage) => usages.includes(usage));
  const extra = usages.filter((usage) => !required.includes(usage) && usage !== 'key encipherment');
  return fits && extra.length === 0 ? undefined : `usages are [${usages.join(', ')}], not [${required.join(', ')}]`;
}

/**
 * The first certificate of a new node: asked for with the bootstrap credentials, for a machine that we made lately,
 * that is known by this name in its cloud and has not become a node yet.
 */
export function clientProblem(
  csr: Csr,
  { request, nodeName }: NodeRequest,
  facts: { readonly nodeExists: boolean; readonly machines: readonly Machine[] },
): Problem {
  const { organizations = [] } = request.subject;
  if (!request.signatureValid) return 'the request is not signed by its own key';
  if (organizations.length !== 1 || organizations[0] !== nodeGroup) return `the organization is not ${nodeGroup} alone`;
  if ([request.dnsNames, request.ipAddresses, request.emails, request.uris].some(some)) {
    return 'a client certificate must not carry alternative names';
  }
  const { usages, groups = [] } = csr.spec;
  const usage = usagesProblem(usages, 'client auth');
  if (usage) return usage;
  if (groups.length !== bootstrapGroups.length || !bootstrapGroups.every((group) => groups.includes(group))) {
    return `the requestor's groups are [${groups.join(', ')}], not those of the node bootstrapper`;
  }
  if (facts.nodeExists) return `Node ${nodeName} exists already`;
  const named = facts.machines.filter((machine) => hasName(machine, nodeName));
  if (named.length === 0) return `no Machine has ${nodeName} as an InternalDNS address`;
  const [machine] = named;
  if (!machine || named.length > 1) return `${named.length} Machines have ${nodeName} as an InternalDNS address`;
  if (machine.status?.nodeRef) return `Machine ${machine.metadata.name} is Node ${machine.status.nodeRef.name} already`;
  const made = Date.parse(machine.metadata.creationTimestamp ?? '');
  const asked = Date.parse(csr.metadata.creationTimestamp ?? '');
  const inTime = asked > made - skewMs && asked < made + joinWindowMs;
  return inTime ? undefined : `Machine ${machine.metadata.name} was not created within the 2 hours before the request`;
}

function hasName({ status }: Machine, nodeName: string): boolean {
  const wanted = hostName(nodeName);
  return (
    status?.addresses?.some(({ type, address }) => type === 'InternalDNS' && hostName(address) === wanted) ?? false
  );
}

export interface ServingFacts {
  /** Machines whose node this is. */
  readonly machines: readonly Machine[];
  /** The certificate that the node serves with now, already found to be signed by our signer. */
  readonly current: Certificate | undefined;
}

/** A node's serving certificate: for itself, and for names and addresses that its cloud gave the machine. */
export function servingProblem(csr: Csr, { request, nodeName }: NodeRequest, facts: ServingFacts): Problem {
  const { username = '', groups = [], usages } = csr.spec;
  if (!request.signatureValid) return 'the request is not signed by its own key';
  for (const group of [nodeGroup, 'system:authenticated']) {
    if (!groups.includes(group)) return `the requestor is not in group ${group}`;
  }
  const usage = usagesProblem(usages, 'server auth');
  if (usage) return usage;
  if (request.subject.commonName !== username) return `the common name is not the requestor's own, ${username}`;
  if (!request.subject.organizations?.includes(nodeGroup)) return `the organization does not include ${nodeGroup}`;
  if (some(request.emails) || some(request.uris)) return 'a serving certificate must not carry email addresses or URIs';
  if (facts.current && isRenewal(request, facts.current)) return undefined;
  const [machine] = facts.machines;
  if (!machine) return `no Machine has become Node ${nodeName}`;
  return addressProblem(request, machine);
}

function isRenewal(request: NodeRequest['request'], current: Certificate): boolean {
  const names = ({ dnsNames = [], ipAddresses = [] }: Pick<Certificate, 'dnsNames' | 'ipAddresses'>) =>
    [...dnsNames.map(hostName), ...ipAddresses.map(canonicalIp)].sort().join();
  return current.subject.commonName === request.subject.commonName && names(current) === names(request);
}

function addressProblem({ dnsNames = [], ipAddresses = [] }: NodeRequest['request'], machine: Machine): Problem {
  const hosts = new Set<string>();
  const ips = new Set<string>();
  for (const { type, address } of machine.status?.addresses ?? []) {
    if (type.endsWith('IP')) ips.add(canonicalIp(address));
    else hosts.add(hostName(address));
  }
  const stranger =
    dnsNames.find((name) => !hosts.has(hostName(name))) ??
    ipAddresses.find((address) => !ips.has(canonicalIp(address)));
  return stranger === undefined ? undefined : `${stranger} is not an address of Machine ${machine.metadata.name}`;
}

function canonicalIp(address: string): string {
  return ipBytes(address)?.toString('hex') ?? address;
}
