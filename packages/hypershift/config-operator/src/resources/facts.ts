import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import { type corev1, parseCIDR } from '@hypershift-ts/kube-apimachinery';
import type { GuestInputs } from './inputs.ts';

type Capability =
  | 'ImageRegistry'
  | 'openshift-samples'
  | 'Insights'
  | 'baremetal'
  | 'Console'
  | 'NodeTuning'
  | 'Ingress';

/** Whether the cluster has an optional part; all are on unless switched off. */
export function hasCapability({ spec }: HostedControlPlane, capability: Capability): boolean {
  return !(spec.capabilities?.disabled as readonly string[] | undefined)?.includes(capability);
}

/** Users come from the OAuth server of the cluster unless an OIDC provider is configured. */
export function isOAuthEnabled({ spec }: HostedControlPlane): boolean {
  const type = spec.configuration?.authentication?.type;
  return type === undefined || type === '' || type === 'IntegratedOAuth';
}

/** `demo.example.com`: the domain everything of the cluster is under. */
export function baseDomainOf({ metadata, spec }: HostedControlPlane): string {
  const { baseDomain, baseDomainPrefix } = spec.dns;
  const prefix = baseDomainPrefix ?? metadata.name ?? '';
  return prefix === '' ? baseDomain : `${prefix}.${baseDomain}`;
}

/** Domain of the applications in the cluster. */
export function ingressDomainOf(hcp: HostedControlPlane): string {
  const { appsDomain, domain } = hcp.spec.configuration?.ingress ?? {};
  return appsDomain || domain || `apps.${baseDomainOf(hcp)}`;
}

/** Address under which pods find the API server on their own node. */
export function advertiseAddressOf({ spec }: HostedControlPlane): string {
  const configured = spec.networking?.apiServer?.advertiseAddress;
  if (configured) return configured;
  const first = spec.networking?.serviceNetwork?.[0]?.cidr;
  return first && isIPv6(first) ? 'fd00::1' : '172.20.0.1';
}

export function isIPv6(cidr: string): boolean {
  return parseCIDR(cidr) !== undefined && cidr.includes(':');
}

/**
 * Whether the release holds OpenShift's own images. The embedded releases do not: nothing would answer for the APIs that
 * OpenShift's servers add, and an API that never answers breaks discovery and the deletion of namespaces.
 */
export function servesOpenShiftApis({ release }: Pick<GuestInputs, 'release'>): boolean {
  return release.source === 'registry';
}

/** A Secret's data entry as text. */
export function textOf(secret: corev1.Secret | undefined, key: string): string | undefined {
  const value = secret?.data?.[key];
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString('utf8');
}

/** Something of the control plane's namespace that must be there. */
export function required<T>(found: T | undefined, kind: string, { hcp }: Pick<GuestInputs, 'hcp'>, name: string): T {
  if (found !== undefined) return found;
  throw new Error(
    `${kind} ${hcp.metadata.namespace}/${name} is not there yet; the control plane operator makes or copies it`,
  );
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64');
