import type { Certificate } from '@hypershift-ts/kube-pki';
import { ipBytes } from '@hypershift-ts/kube-pki';
import type { LeafSpec } from './table/index.ts';

const canonicalIp = (address: string) => ipBytes(address)?.toString('hex') ?? address;

function missing(found: readonly string[], wanted: readonly string[]): string | undefined {
  const has = new Set(found);
  const name = wanted.find((candidate) => !has.has(candidate));
  return name === undefined ? undefined : `it does not cover ${name}`;
}

/** A name the cluster gave up may belong to somebody else by now. */
function extra(found: readonly string[], wanted: readonly string[]): string | undefined {
  const wants = new Set(wanted);
  const name = found.find((candidate) => !wants.has(candidate));
  return name === undefined ? undefined : `it still covers ${name}`;
}

/** How the names of a certificate differ from the wanted ones, or undefined. */
export function sameNames(certificate: Certificate, spec: LeafSpec): string | undefined {
  const { dnsNames = [], ipAddresses = [] } = certificate;
  const byBytes = new Map<string, string>();
  for (const address of [...ipAddresses, ...(spec.ipAddresses ?? [])]) byBytes.set(canonicalIp(address), address);
  const readable = (addresses: readonly string[]) => addresses.map((one) => byBytes.get(canonicalIp(one)) ?? '');
  const wantedNames = spec.dnsNames ?? [];
  const addresses = readable(ipAddresses);
  const wantedAddresses = readable(spec.ipAddresses ?? []);
  return (
    missing(dnsNames, wantedNames) ??
    missing(addresses, wantedAddresses) ??
    extra(dnsNames, wantedNames) ??
    extra(addresses, wantedAddresses)
  );
}

const usages = {
  server: ['serverAuth'],
  client: ['clientAuth'],
  peer: ['serverAuth', 'clientAuth'],
} as const;

/** How the allowed uses of a certificate differ from those of its role, or undefined. */
export function sameUsages(certificate: Certificate, role: LeafSpec['role']): string | undefined {
  const found = new Set<string>(certificate.extendedKeyUsages);
  const same = found.size === usages[role].length && usages[role].every((usage) => found.has(usage));
  return same ? undefined : `it is not for ${usages[role].join(' and ')}`;
}
