import { annotations } from '@hypershift-ts/hypershift-api';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { annotationOf, type ControlPlaneContext } from './context.ts';

type Facts = Pick<ControlPlaneContext, 'hcp'>;

export const isPlatform =
  (...types: readonly string[]) =>
  ({ hcp }: Facts): boolean =>
    types.includes(hcp.spec.platform.type);

export const isNotPlatform =
  (...types: readonly string[]) =>
  ({ hcp }: Facts): boolean =>
    !types.includes(hcp.spec.platform.type);

/** OAuth belongs to every cluster whose users do not come from an OIDC provider of their own. */
export function isOAuthEnabled({ hcp }: Facts): boolean {
  const type = hcp.spec.configuration?.authentication?.type;
  return type === undefined || type === '' || type === 'IntegratedOAuth';
}

type Capability =
  | 'ImageRegistry'
  | 'NodeTuning'
  | 'Ingress'
  | 'Console'
  | 'Insights'
  | 'baremetal'
  | 'openshift-samples';

export function hasCapability({ hcp }: Facts, capability: Capability): boolean {
  return !(hcp.spec.capabilities?.disabled as readonly string[] | undefined)?.includes(capability);
}

export function clusterNetworks({ hcp }: Facts): readonly string[] {
  return (hcp.spec.networking?.clusterNetwork ?? []).map(({ cidr }) => cidr);
}

export function serviceNetworks({ hcp }: Facts): readonly string[] {
  return (hcp.spec.networking?.serviceNetwork ?? []).map(({ cidr }) => cidr);
}

/** Domain of the hosted cluster: `<prefix or name>.<base domain>`; an empty prefix leaves the base domain alone. */
export function baseDomainOf({ metadata, spec }: Facts['hcp']): string {
  const prefix = spec.dns.baseDomainPrefix ?? metadata.name ?? '';
  return prefix === '' ? spec.dns.baseDomain : `${prefix}.${spec.dns.baseDomain}`;
}

/** Machines are only looked after where Cluster API runs and the hosted API server can already be reached. */
export function managesMachines(context: ControlPlaneContext): boolean {
  return (
    annotationOf(context, annotations.disableMachineManagement.key) === undefined &&
    context.hcp.status?.kubeConfig !== undefined &&
    context.lookup.get(corev1.secrets, `${context.hcp.spec.infraID}-kubeconfig`) !== undefined
  );
}

export function runsIgnitionServer(context: ControlPlaneContext): boolean {
  return annotationOf(context, annotations.disableIgnitionServer.key) === undefined;
}

export function forwardsMetrics(context: ControlPlaneContext): boolean {
  const mode = context.hcp.spec.monitoring?.metricsForwarding?.mode;
  if (mode !== undefined) return mode === 'Forward';
  return annotationOf(context, annotations.enableMetricsForwarding.key) === 'true';
}
