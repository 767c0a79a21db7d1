import { statusErrors, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Lookup } from '../admission/lookup.ts';
import type { RequestInfo } from '../request/request-info.ts';

/** Where a kubelet answers, and the path there. */
export interface NodeEndpoint {
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

interface Pod extends UnstructuredObject {
  readonly spec: {
    readonly nodeName?: string;
    readonly containers: readonly { readonly name: string }[];
    readonly initContainers?: readonly { readonly name: string }[];
  };
}

interface Node extends UnstructuredObject {
  readonly status?: {
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly daemonEndpoints?: { readonly kubeletEndpoint?: { readonly Port: number } };
  };
}

/** kube-apiserver's --kubelet-preferred-address-types. */
const preferredAddresses = ['InternalIP', 'Hostname', 'InternalDNS', 'ExternalDNS', 'ExternalIP'];

/** What a request about a pod or node becomes at its kubelet. */
export async function nodeEndpointOf(lookup: Lookup, info: RequestInfo, query: URLSearchParams): Promise<NodeEndpoint> {
  if (info.resource === 'nodes')
    return { ...(await kubeletOf(lookup, info.name)), path: `/${info.rest}${search(query)}` };
  const pod = (await lookup.get('', 'pods', info.namespace, info.name)) as Pod | undefined;
  if (!pod) throw statusErrors.notFound({ group: '', resource: 'pods' }, info.name);
  if (!pod.spec.nodeName) throw statusErrors.badRequest(`pod ${info.name} does not have a host assigned`);
  const kubelet = await kubeletOf(lookup, pod.spec.nodeName);
  if (info.subresource === 'portforward')
    return { ...kubelet, path: `/portForward/${info.namespace}/${info.name}${search(query)}` };
  const container = containerOf(pod, query.get('container') ?? '');
  const rest = new URLSearchParams(query);
  rest.delete('container');
  const where = `${info.namespace}/${info.name}/${container}`;
  if (info.subresource === 'log') return { ...kubelet, path: `/containerLogs/${where}${search(rest)}` };
  return { ...kubelet, path: `/${info.subresource}/${where}${search(kubeletStreams(rest))}` };
}

function containerOf(pod: Pod, wanted: string): string {
  const containers = pod.spec.containers.map(({ name }) => name);
  const init = (pod.spec.initContainers ?? []).map(({ name }) => name);
  const name = pod.metadata.name!;
  if (wanted === '') {
    const chosen = pod.metadata.annotations?.['kubectl.kubernetes.io/default-container'];
    if (chosen && containers.includes(chosen)) return chosen;
    if (containers.length === 1) return containers[0]!;
    const also = init.length > 0 ? ` or one of the init containers: [${init.join(' ')}]` : '';
    throw statusErrors.badRequest(
      `a container name must be specified for pod ${name}, choose one of: [${containers.join(' ')}]${also}`,
    );
  }
  if (![...containers, ...init].includes(wanted))
    throw statusErrors.badRequest(`container ${wanted} is not valid for pod ${name}`);
  return wanted;
}

async function kubeletOf(lookup: Lookup, nodeName: string): Promise<{ host: string; port: number }> {
  const node = (await lookup.get('', 'nodes', '', nodeName)) as Node | undefined;
  if (!node) throw statusErrors.notFound({ group: '', resource: 'nodes' }, nodeName);
  const addresses = node.status?.addresses ?? [];
  const host = preferredAddresses
    .map((type) => addresses.find((address) => address.type === type)?.address)
    .find(Boolean);
  const port = node.status?.daemonEndpoints?.kubeletEndpoint?.Port;
  if (!host || !port) throw statusErrors.unavailable(`node ${nodeName} has not told where its kubelet listens`);
  return { host, port };
}

/** The API says stdin=true, the kubelet input=1. */
function kubeletStreams(query: URLSearchParams): URLSearchParams {
  const names: Record<string, string> = { stdin: 'input', stdout: 'output', stderr: 'error' };
  const result = new URLSearchParams();
  for (const [key, value] of query) {
    const name = names[key] ?? key;
    if (name === 'input' || name === 'output' || name === 'error' || name === 'tty') {
      if (value === 'true' || value === '1') result.append(name, '1');
    } else result.append(name, value);
  }
  return result;
}

function search(query: URLSearchParams): string {
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
