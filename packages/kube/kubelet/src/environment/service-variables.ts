import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { portHere } from '../services/ports-here.ts';

/**
 * The environment variables by which pods find Services: those of their own namespace, and always the API server's.
 * `enableServiceLinks: false` leaves only the latter.
 */
export function serviceVariables(
  services: readonly corev1.Service[],
  namespace: string,
  enableServiceLinks: boolean,
): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const service of services) {
    const isApiServer = service.metadata.namespace === 'default' && service.metadata.name === 'kubernetes';
    const isNear = service.metadata.namespace === namespace && enableServiceLinks;
    if (isApiServer || isNear) Object.assign(variables, variablesOf(service));
  }
  return variables;
}

type Variables = Readonly<Record<string, string>>;

/** Every container of a namespace is told of the same Services. */
const known = new WeakMap<corev1.Service, Variables>();

function variablesOf(service: corev1.Service): Variables {
  const before = known.get(service);
  if (before) return before;
  const variables = newVariables(service);
  if (Object.isFrozen(service)) known.set(service, variables);
  return variables;
}

function newVariables({ metadata, spec }: corev1.Service): Variables {
  const variables: Record<string, string> = {};
  const address = spec?.clusterIP;
  const ports = spec?.ports ?? [];
  const [first] = ports;
  if (!address || address === 'None' || !first) return variables;
  const prefix = variableName(metadata.name ?? '');
  const host = address.includes(':') ? `[${address}]` : address;
  variables[`${prefix}_SERVICE_HOST`] = address;
  variables[`${prefix}_SERVICE_PORT`] = String(portHere(first.port));
  for (const port of ports)
    if (port.name) variables[`${prefix}_SERVICE_PORT_${variableName(port.name)}`] = String(portHere(port.port));
  variables[`${prefix}_PORT`] = `${protocolOf(first)}://${host}:${portHere(first.port)}`;
  for (const port of ports) {
    const protocol = protocolOf(port);
    const base = `${prefix}_PORT_${port.port}_${protocol.toUpperCase()}`;
    variables[base] = `${protocol}://${host}:${portHere(port.port)}`;
    variables[`${base}_PROTO`] = protocol;
    variables[`${base}_PORT`] = String(portHere(port.port));
    variables[`${base}_ADDR`] = address;
  }
  return variables;
}

function protocolOf(port: corev1.ServicePort): string {
  return (port.protocol ?? 'TCP').toLowerCase();
}

function variableName(name: string): string {
  return name.replaceAll('-', '_').toUpperCase();
}
