import { annotations } from '@hypershift-ts/hypershift-api';
import {
  awsLeaves,
  azureLeaves,
  type LeafSpec,
  type PkiFacts,
  type PkiTuning,
} from '@hypershift-ts/hypershift-control-plane-pki';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { shardClusters } from '../components/etcd/clusters.ts';
import {
  baseDomainOf,
  forwardsMetrics,
  hasCapability,
  isNotPlatform,
  isOAuthEnabled,
  isPlatform,
  runsIgnitionServer,
  serviceNetworks,
} from '../framework/cluster-facts.ts';
import type { Component } from '../framework/component.ts';
import type { ControlPlaneContext, OperatorSettings } from '../framework/context.ts';
import { serviceAccountsOf } from '../framework/inject/index.ts';
import { routes } from '../framework/optional-kinds.ts';
import { internalDomain, isPrivate, isPublic, strategyFor } from '../infrastructure/publishing.ts';

type ServiceAccounts = NonNullable<PkiFacts['serviceAccounts']>;

const isAws = isPlatform('AWS');
const managesStorage = isNotPlatform('IBMCloud', 'PowerVS');

/** Certificates that only the components of a platform serve with. */
const leavesByPlatform: Readonly<Record<string, (namespace: string) => readonly LeafSpec[]>> = {
  AWS: awsLeaves,
  Azure: azureLeaves,
};

/** What certificates and kubeconfigs depend on, once every published service has its address. */
export function pkiFacts(context: ControlPlaneContext, components: readonly Component[]): PkiFacts {
  const { hcp, namespace, endpoints } = context;
  const { spec } = hcp;
  const { api, konnectivity, oauth } = endpoints;
  if (!api || !konnectivity) throw new Error('the addresses of the API server and of konnectivity are not known yet');
  const advertiseAddress = spec.networking?.apiServer?.advertiseAddress;
  const apiRouted = strategyFor(context, 'APIServer')?.type === 'Route';
  return {
    namespace,
    hcpName: hcp.metadata.name ?? '',
    infraId: spec.infraID,
    api,
    serviceNetworks: serviceNetworks(context),
    ...(advertiseAddress ? { advertiseAddress } : {}),
    konnectivityHost: konnectivity.host,
    ...(isOAuthEnabled(context) && oauth ? { oauthHost: oauth.host } : {}),
    ...(hasCapability(context, 'Ingress') ? { ingressDomain: `apps.${baseDomainOf(hcp)}` } : {}),
    ignition: runsIgnitionServer(context) ? ignitionFacts(context) : false,
    ...(forwardsMetrics(context) ? { metricsForwarding: metricsFacts(context) } : {}),
    ...(spec.kubeAPIServerDNSName ? { kubeAPIServerDNSName: spec.kubeAPIServerDNSName } : {}),
    adminUsesInternalName: !isPublic(context) && !apiRouted,
    nodesUseInternalName: isPrivate(context),
    ...(spec.kubeconfig ? { adminKubeconfig: spec.kubeconfig } : {}),
    managedEtcd: spec.etcd.managementType === 'Managed',
    etcdShards: shardClusters(context).map(({ name }) => name),
    capabilities: {
      nodeTuning: hasCapability(context, 'NodeTuning'),
      imageRegistry: hasCapability(context, 'ImageRegistry'),
      storage: managesStorage(context),
    },
    platformLeaves: leavesByPlatform[spec.platform.type]?.(namespace) ?? [],
    serviceAccounts: [...serviceAccountsOf(components, context), ...webhookAccounts(context)],
    namedCertificates: namedCertificates(context),
    userCaBundles: userBundles(context),
  };
}

function ignitionFacts(context: ControlPlaneContext): { readonly host?: string } {
  const strategy = strategyFor(context, 'Ignition');
  // Nodes of a cluster without a public side fetch their configuration by a name only they know.
  if (strategy?.type === 'Route' && !isPublic(context))
    return { host: `ignition-server.apps.${internalDomain(context)}` };
  const route = context.lookup.get(routes, 'ignition-server') as { spec?: { host?: string } } | undefined;
  const ingress = context.lookup.get(corev1.services, 'ignition-server-proxy')?.status?.loadBalancer?.ingress?.[0];
  const host =
    strategy?.type === 'NodePort'
      ? strategy.nodePort?.address
      : strategy?.type === 'LoadBalancer'
        ? (strategy.loadBalancer?.hostname ?? ingress?.hostname ?? ingress?.ip)
        : (strategy?.route?.hostname ?? route?.spec?.host);
  return host ? { host } : {};
}

function metricsFacts({ lookup }: ControlPlaneContext): { readonly host?: string } {
  const route = lookup.get(routes, 'metrics-proxy') as { spec?: { host?: string } } | undefined;
  return route?.spec?.host ? { host: route.spec.host } : {};
}

/** The webhook that gives pods their cloud role runs inside the API server's own pod. */
function webhookAccounts(context: ControlPlaneContext): ServiceAccounts {
  if (!isAws(context)) return [];
  const name = 'aws-pod-identity-webhook';
  return [
    { component: name, namespace: 'openshift-authentication', name, secret: `${name}-kubeconfig`, localhost: true },
  ];
}

function namedCertificates({ hcp }: ControlPlaneContext): readonly string[] {
  const named = hcp.spec.configuration?.apiServer?.servingCerts?.namedCertificates ?? [];
  return named.map(({ servingCertificate }) => servingCertificate?.name ?? '').filter((name) => name !== '');
}

/** ConfigMaps with authorities the user wants trusted. */
function userBundles({ hcp }: ControlPlaneContext): readonly string[] {
  const names = [hcp.spec.additionalTrustBundle?.name, hcp.spec.configuration?.proxy?.trustedCA?.name];
  return [...new Set(names.filter((name) => name !== undefined && name !== ''))] as readonly string[];
}

/** How long certificates live, where the HostedCluster says so. */
export function pkiTuning({ certificateValidity, certificateRenewalPercentage }: OperatorSettings): PkiTuning {
  const validity = milliseconds(certificateValidity);
  const share = Number(certificateRenewalPercentage ?? Number.NaN);
  return {
    ...(validity && validity > 0 ? { leafValidity: validity } : {}),
    ...(share > 0 && share < 1 ? { renewalShare: share } : {}),
  };
}

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Milliseconds of `8760h` or `1h30m`; undefined when it is not a duration. */
function milliseconds(text: string | undefined): number | undefined {
  if (!text || !/^(\d+(\.\d+)?(h|ms|m|s))+$/.test(text)) return undefined;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g);
  return [...parts].reduce((sum, [, amount, unit]) => sum + Number(amount) * (unitMs[unit ?? ''] ?? 0), 0);
}

export function reconcilesPki({ hcp }: Pick<ControlPlaneContext, 'hcp'>): boolean {
  return hcp.metadata.annotations?.[annotations.disablePkiReconciliation.key] === undefined;
}
