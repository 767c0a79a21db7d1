import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Lookup } from '../lookup.ts';

/** Where a webhook listens, as its configuration says it. */
export interface ClientConfig {
  readonly url?: string;
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** Base64 of PEM. Absent: the roots of this machine. */
  readonly caBundle?: string;
}

/** Where to connect to for one call. */
export interface Endpoint {
  /** As the webhook is known: what certificates and messages name. */
  readonly url: URL;
  readonly host: string;
  readonly port: number;
  /** Set for services: their certificates carry `<service>.<namespace>.svc`. */
  readonly serverName?: string;
}

/** The address of a webhook. Services are resolved to a ready endpoint; without kube-proxy their IP leads nowhere. */
export async function endpointOf(config: ClientConfig, lookup: Lookup, random: () => number): Promise<Endpoint> {
  const { service } = config;
  if (!service) {
    const url = new URL(config.url ?? '');
    return { url, host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 443) };
  }
  const url = serviceUrl(service);
  const { host, port } = await serviceAddress(service, lookup, random);
  return { url, host, port, serverName: url.hostname };
}

/** The URL a webhook goes by in messages, known even when nothing answers there. */
export function webhookUrl(config: ClientConfig): URL {
  return config.service ? serviceUrl(config.service) : new URL(config.url ?? '');
}

function serviceUrl({ name, namespace, path = '', port = 443 }: NonNullable<ClientConfig['service']>): URL {
  return new URL(`https://${name}.${namespace}.svc:${port}${path.startsWith('/') || path === '' ? path : `/${path}`}`);
}

interface Service extends UnstructuredObject {
  readonly spec: {
    readonly type?: string;
    readonly externalName?: string;
    readonly ports?: readonly { readonly name?: string; readonly port: number }[];
  };
}

interface EndpointSlice extends UnstructuredObject {
  readonly endpoints?: readonly {
    readonly addresses: readonly string[];
    readonly conditions?: { readonly ready?: boolean };
  }[];
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[];
}

interface Endpoints extends UnstructuredObject {
  readonly subsets?: readonly {
    readonly addresses?: readonly { readonly ip: string }[];
    readonly ports?: readonly { readonly name?: string; readonly port: number }[];
  }[];
}

type Address = { readonly host: string; readonly port: number };

async function serviceAddress(
  { namespace, name, port = 443 }: NonNullable<ClientConfig['service']>,
  lookup: Lookup,
  random: () => number,
): Promise<Address> {
  const service = (await lookup.get('', 'services', namespace, name)) as Service | undefined;
  if (!service) throw new Error(`service ${JSON.stringify(name)} not found`);
  const { spec } = service;
  if (spec.type === 'ExternalName') return { host: spec.externalName ?? '', port };
  const declared = spec.ports?.find((candidate) => candidate.port === port);
  if (!declared) throw new Error(`no service port ${port} found for service ${JSON.stringify(name)}`);
  const addresses = [
    ...(await fromSlices(lookup, namespace, name, declared.name ?? '')),
    ...(await fromEndpoints(lookup, namespace, name, declared.name ?? '')),
  ];
  if (addresses.length === 0) throw new Error(`no endpoints available for service ${JSON.stringify(name)}`);
  return addresses[Math.floor(random() * addresses.length)]!;
}

async function fromSlices(lookup: Lookup, namespace: string, service: string, portName: string): Promise<Address[]> {
  const slices = (await lookup.list('discovery.k8s.io', 'endpointslices', namespace)) as readonly EndpointSlice[];
  return slices
    .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === service)
    .flatMap(({ endpoints = [], ports = [] }) => {
      const port = ports.find(({ name = '' }) => name === portName)?.port;
      if (port === undefined) return [];
      return endpoints
        .filter(({ conditions }) => conditions?.ready !== false)
        .flatMap(({ addresses }) => addresses.map((host) => ({ host, port })));
    });
}

async function fromEndpoints(lookup: Lookup, namespace: string, service: string, portName: string): Promise<Address[]> {
  const endpoints = (await lookup.get('', 'endpoints', namespace, service)) as Endpoints | undefined;
  return (endpoints?.subsets ?? []).flatMap(({ addresses = [], ports = [] }) => {
    const port = ports.find(({ name = '' }) => name === portName)?.port;
    return port === undefined ? [] : addresses.map(({ ip }) => ({ host: ip, port }));
  });
}
