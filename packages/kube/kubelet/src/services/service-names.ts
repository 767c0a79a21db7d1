import type { corev1, discoveryv1 } from '@hypershift-ts/kube-apimachinery';

interface ServiceName {
  /** Of one pod behind a headless Service. */
  readonly host: string | undefined;
  readonly key: string;
}

/**
 * The address behind a DNS name as a pod of `namespace` would write it: `name`, `name.ns`, `name.ns.svc` or
 * `name.ns.svc.cluster.local` of a Service, or one of these after the hostname of a pod. Other names come back unchanged.
 */
export function resolveService(
  name: string,
  namespace: string,
  serviceOf: (key: string) => corev1.Service | undefined,
  slicesOf: (key: string) => readonly discoveryv1.EndpointSlice[] = () => [],
): string {
  const parsed = parseName(name, namespace);
  const service = parsed && serviceOf(parsed.key);
  if (!service) return name;
  if (parsed.host !== undefined) return endpointOf(slicesOf(parsed.key), parsed.host) ?? name;
  if (service.spec?.type === 'ExternalName') return service.spec.externalName ?? name;
  const address = service.spec?.clusterIP;
  if (address === 'None') return endpointOf(slicesOf(parsed.key), undefined) ?? name;
  return address || name;
}

function parseName(name: string, namespace: string): ServiceName | undefined {
  const parts = name
    .replace(/\.$/, '')
    .replace(/\.svc\.cluster\.local$/, '.svc')
    .split('.');
  if (parts.some((part) => part === '')) return undefined;
  const isLong = parts.at(-1) === 'svc' && parts.length > 2;
  const [first = '', second = namespace, third] = isLong ? parts.slice(0, -1) : parts;
  if (third !== undefined) return isLong && parts.length === 4 ? { host: first, key: `${third}/${second}` } : undefined;
  return { host: undefined, key: `${second}/${first}` };
}

/** The address of the pod with this hostname; without one, of any pod that is ready. */
function endpointOf(slices: readonly discoveryv1.EndpointSlice[], host: string | undefined): string | undefined {
  const endpoints = slices.flatMap((slice) => slice.endpoints ?? []);
  const found = endpoints.find(({ hostname, conditions }) =>
    host === undefined ? conditions?.ready !== false : hostname === host,
  );
  return found?.addresses[0];
}
