import { parseVersion } from '@hypershift-ts/hypershift-release';
import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { goJson } from '../go-encoding/go-json.ts';

/** `HostedCluster.spec.configuration`, as far as nodes depend on it. */
export interface NodeConfiguration {
  readonly proxy?: ProxySpec;
  readonly image?: ImageSpec;
  readonly apiServer?: { readonly tlsSecurityProfile?: TlsSecurityProfile };
}

export interface ProxySpec {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
  readonly readinessEndpoints?: readonly string[];
  readonly trustedCA?: { readonly name?: string };
}

export interface ImageSpec {
  readonly allowedRegistriesForImport?: readonly { readonly domainName?: string; readonly insecure?: boolean }[];
  readonly externalRegistryHostnames?: readonly string[];
  readonly additionalTrustedCA?: { readonly name?: string };
  readonly registrySources?: {
    readonly insecureRegistries?: readonly string[];
    readonly blockedRegistries?: readonly string[];
    readonly allowedRegistries?: readonly string[];
    readonly containerRuntimeSearchRegistries?: readonly string[];
  };
  readonly imageStreamImportMode?: string;
}

export interface TlsSecurityProfile {
  readonly type?: string;
  readonly old?: object;
  readonly intermediate?: object;
  readonly modern?: object;
  readonly custom?: {
    readonly ciphers?: readonly string[];
    readonly groups?: readonly string[];
    readonly minTLSVersion?: string;
  };
}

export interface ClusterNetworks {
  readonly machineNetwork?: readonly { readonly cidr: string }[];
  readonly clusterNetwork?: readonly { readonly cidr: string }[];
  readonly serviceNetwork?: readonly { readonly cidr: string }[];
  readonly platform?: string;
  readonly awsRegion?: string;
}

export interface ProxyStatus {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
}

/** The proxy that nodes use: as asked for, with everything of the cluster itself left out of it. */
export function proxyStatus(proxy: ProxySpec | undefined, networks: ClusterNetworks): ProxyStatus {
  if (!proxy?.httpProxy && !proxy?.httpsProxy) return {};
  const cidrs = [networks.machineNetwork, networks.clusterNetwork, networks.serviceNetwork].flatMap((entries) =>
    (entries ?? []).map(({ cidr }) => cidr),
  );
  const direct = ['127.0.0.1', 'localhost', '.svc', '.cluster.local', '.local', ...cidrs];
  if (networks.platform === 'AWS' || networks.platform === 'Azure') direct.push('169.254.169.254');
  if (networks.platform === 'AWS') {
    const region = networks.awsRegion ?? '';
    direct.push(region === 'us-east-1' ? '.ec2.internal' : `.${region}.compute.internal`);
  }
  direct.push(...(proxy.noProxy ?? '').split(',').filter((entry) => entry !== ''));
  const noProxy = [...new Set(direct)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).join(',');
  return { ...given('httpProxy', proxy.httpProxy), ...given('httpsProxy', proxy.httpsProxy), noProxy };
}

/** The part of the HostedCluster's configuration that rolls nodes, as text for the rollout hash. */
export function globalConfig(
  configuration: NodeConfiguration | undefined,
  networks: ClusterNetworks,
  releaseVersion: string,
): string {
  const metadata = { name: 'cluster', creationTimestamp: null };
  const { proxy, image } = configuration ?? {};
  const lines: JsonValue[] = [
    { metadata, spec: proxySpec(proxy), status: { ...proxyStatus(proxy, networks) } },
    { metadata, spec: imageSpec(image), status: {} },
  ];
  // Nodes follow the TLS profile from this version on; before, it must not count.
  if (knowsTlsProfiles(releaseVersion)) lines.push(tlsProfile(configuration?.apiServer?.tlsSecurityProfile));
  return lines.map((line) => `${goJson(line)}\n`).join('');
}

/** Since 4.23, its pre-releases included. */
function knowsTlsProfiles(releaseVersion: string): boolean {
  const { major, minor } = parseVersion(releaseVersion);
  return major > 4 || (major === 4 && minor >= 23);
}

function proxySpec(proxy: ProxySpec = {}): JsonObject {
  return {
    ...given('httpProxy', proxy.httpProxy),
    ...given('httpsProxy', proxy.httpsProxy),
    ...given('noProxy', proxy.noProxy),
    ...given('readinessEndpoints', proxy.readinessEndpoints),
    trustedCA: { name: proxy.trustedCA?.name ?? '' },
  };
}

function imageSpec(image: ImageSpec = {}): JsonObject {
  const sources = image.registrySources ?? {};
  return {
    ...given(
      'allowedRegistriesForImport',
      image.allowedRegistriesForImport?.map(({ domainName = '', insecure }) => ({
        domainName,
        ...(insecure ? { insecure } : {}),
      })),
    ),
    ...given('externalRegistryHostnames', image.externalRegistryHostnames),
    additionalTrustedCA: { name: image.additionalTrustedCA?.name ?? '' },
    registrySources: {
      ...given('insecureRegistries', sources.insecureRegistries),
      ...given('blockedRegistries', sources.blockedRegistries),
      ...given('allowedRegistries', sources.allowedRegistries),
      ...given('containerRuntimeSearchRegistries', sources.containerRuntimeSearchRegistries),
    },
    ...given('imageStreamImportMode', image.imageStreamImportMode),
  };
}

function tlsProfile(profile: TlsSecurityProfile | undefined): JsonValue {
  if (!profile) return null;
  const { custom } = profile;
  return {
    type: profile.type ?? '',
    ...(profile.old ? { old: {} } : {}),
    ...(profile.intermediate ? { intermediate: {} } : {}),
    ...(profile.modern ? { modern: {} } : {}),
    ...(custom
      ? {
          custom: {
            ciphers: custom.ciphers ?? null,
            ...given('groups', custom.groups),
            minTLSVersion: custom.minTLSVersion ?? '',
          },
        }
      : {}),
  };
}

/** Left out when empty, as Go does. */
function given(name: string, value: JsonValue | undefined): JsonObject {
  const empty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  return empty ? {} : { [name]: value };
}
