import { openshift, type HostedControlPlane } from '@hypershift-ts/hypershift-api';
import { goYaml } from '@hypershift-ts/hypershift-ignition';
import { corev1, type JsonValue } from '@hypershift-ts/kube-apimachinery';
import { type GuestObject, kept, removed } from '../guest/guest-object.ts';
import { baseDomainOf, ingressDomainOf, isIPv6, required } from './facts.ts';
import type { GuestInputs, ResourceGroup } from './inputs.ts';

const cluster = { name: 'cluster' };
const proxyMark = 'hypershift.io/hosted-cluster-proxy-config';

/** The cluster's own description of itself, which its operators and its users read. */
export const globalConfig: ResourceGroup = {
  name: 'global-config',
  objects(inputs) {
    const { hcp } = inputs;
    if (!hcp.status?.controlPlaneEndpoint?.host)
      throw new Error(
        'hosted control plane does not have an APIServer endpoint address; status.controlPlaneEndpoint of the HostedControlPlane follows once its Services have addresses',
      );
    return [
      infrastructure(inputs, hcp.status.controlPlaneEndpoint),
      dns(inputs),
      kept(openshift.images, cluster, { spec: hcp.spec.configuration?.image ?? {} }),
      ingress(hcp),
      network(hcp),
      ...proxyTrust(inputs),
      ...proxy(inputs),
      ...mirrors(hcp),
      installConfig(inputs),
      kept(openshift.cloudCredentials, cluster, { spec: { credentialsMode: 'Manual', managementState: 'Managed' } }),
      kept(openshift.authentications, cluster, { spec: authentication(hcp) }),
      kept(openshift.apiServers, cluster, { spec: hcp.spec.configuration?.apiServer ?? {} }),
    ];
  },
};

const httpsURL = (host: string, port: number): string => `https://${host.includes(':') ? `[${host}]` : host}:${port}`;

function infrastructure(
  { hcp, platform }: GuestInputs,
  { host, port }: { readonly host: string; readonly port: number },
): GuestObject {
  const { spec, metadata } = hcp;
  const type = spec.platform.type;
  const own = platform.guest.infrastructureSpec(hcp) as { readonly platformSpec?: object };
  const isPrivate = platform.guest.isPrivate(hcp);
  return kept(
    openshift.infrastructures,
    cluster,
    { spec: { ...own, platformSpec: { type, ...own.platformSpec } } },
    {
      status: {
        apiServerURL: httpsURL(spec.kubeAPIServerDNSName || host, port),
        apiServerInternalURI: httpsURL(isPrivate ? `api.${metadata.name}.hypershift.local` : host, port),
        etcdDiscoveryDomain: baseDomainOf(hcp),
        infrastructureName: spec.infraID,
        controlPlaneTopology: 'External',
        infrastructureTopology:
          spec.infrastructureAvailabilityPolicy === 'HighlyAvailable' ? 'HighlyAvailable' : 'SingleReplica',
        platform: type,
        platformStatus: { type, ...platform.guest.platformStatus(hcp) },
      },
    },
  );
}

function dns({ hcp, platform }: GuestInputs): GuestObject {
  const { publicZoneID, privateZoneID } = hcp.spec.dns ?? {};
  return kept(openshift.dnsConfigs, cluster, {
    spec: {
      baseDomain: baseDomainOf(hcp),
      ...(publicZoneID ? { publicZone: { id: publicZoneID } } : {}),
      ...(privateZoneID ? { privateZone: { id: privateZoneID } } : {}),
      ...platform.guest.dns(hcp),
    },
  });
}

function ingress(hcp: HostedControlPlane): GuestObject {
  const configured = hcp.spec.configuration?.ingress;
  return kept(openshift.ingresses, cluster, {
    spec: { ...configured, domain: configured?.domain || ingressDomainOf(hcp) },
  });
}

function network(hcp: HostedControlPlane): GuestObject {
  const { clusterNetwork = [], serviceNetwork = [], networkType } = hcp.spec.networking ?? {};
  const { externalIP, serviceNodePortRange } = hcp.spec.configuration?.network ?? {};
  const networks = {
    clusterNetwork: clusterNetwork.map(({ cidr, hostPrefix }) => ({
      cidr,
      hostPrefix: hostPrefix || (isIPv6(cidr) ? 64 : 23),
    })),
    serviceNetwork: serviceNetwork.map(({ cidr }) => cidr),
  };
  return kept(
    openshift.networks,
    cluster,
    {
      spec: {
        ...networks,
        networkType,
        ...(externalIP ? { externalIP } : {}),
        ...(serviceNodePortRange ? { serviceNodePortRange } : {}),
      },
    },
    // The network operator reports these after it measured the network, which a proxy makes wait for exactly these.
    hcp.spec.configuration?.proxy ? { status: networks } : {},
  );
}

function proxyTrust({ hcp, configMap }: GuestInputs): readonly GuestObject[] {
  const name = hcp.spec.configuration?.proxy?.trustedCA?.name;
  if (!name) return [];
  const { data } = required(configMap(name), 'ConfigMap', { hcp }, name);
  return [kept(corev1.configmaps, { namespace: 'openshift-config', name }, { data })];
}

/** The proxy of the HostedCluster; without one, whatever users of the hosted cluster say. */
function proxy({ hcp, seen }: GuestInputs): readonly GuestObject[] {
  const configured = hcp.spec.configuration?.proxy;
  if (configured) {
    const absent = { httpProxy: null, httpsProxy: null, noProxy: null, readinessEndpoints: null, trustedCA: null };
    return [
      kept(
        openshift.proxies,
        cluster,
        { spec: { ...absent, ...configured } },
        { annotations: { [proxyMark]: 'true' } },
      ),
    ];
  }
  const live = seen(openshift.proxies, cluster);
  if (!live?.metadata.annotations?.[proxyMark]) return [kept(openshift.proxies, cluster, { spec: {} })];
  const unmark = { [proxyMark]: null } as unknown as { readonly [key: string]: string };
  const emptied = Object.fromEntries(Object.keys(live.spec).map((field) => [field, null]));
  return [kept(openshift.proxies, cluster, { spec: emptied }, { annotations: unmark })];
}

function mirrors({ spec }: HostedControlPlane): readonly GuestObject[] {
  const sources = spec.imageContentSources ?? [];
  const imageDigestMirrors = sources.map(({ source, mirrors: to }) => ({ source, ...(to ? { mirrors: to } : {}) }));
  return [
    kept(openshift.imageDigestMirrorSets, cluster, { spec: { imageDigestMirrors } }),
    removed(openshift.imageContentSourcePolicies, cluster),
  ];
}

function installConfig({ hcp, platform }: GuestInputs): GuestObject {
  const content = {
    apiVersion: 'v1',
    controlPlane: { replicas: 1 },
    baseDomain: baseDomainOf(hcp),
    metadata: { name: hcp.metadata.name },
    platform: { [hcp.spec.platform.type.toLowerCase()]: platform.guest.installConfig(hcp) },
    networking: {
      clusterNetwork: hcp.spec.networking?.clusterNetwork ?? [],
      serviceNetwork: (hcp.spec.networking?.serviceNetwork ?? []).map(({ cidr }) => cidr),
    },
  };
  return kept(
    corev1.configmaps,
    { namespace: 'kube-system', name: 'cluster-config-v1' },
    { data: { 'install-config': goYaml(content as JsonValue) } },
  );
}

function authentication({ spec }: HostedControlPlane): object {
  const configured = spec.configuration?.authentication ?? {};
  return { ...configured, serviceAccountIssuer: spec.issuerURL };
}
