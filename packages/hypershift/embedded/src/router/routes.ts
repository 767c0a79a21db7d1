import type { openshift } from '@hypershift-ts/hypershift-api';
import { type corev1, formatTime } from '@hypershift-ts/kube-apimachinery';
import type { Backend } from './configuration.ts';

const routerName = 'shared';

/** A host and, when it is refused, the Route that has it already. */
export interface RouteClaim {
  readonly host: string;
  readonly heldBy?: string;
}

/** Where a Route's connections go: its Service's address and the port it names, or the only one. */
export function backendOfRoute(route: openshift.Route, service: corev1.Service | undefined): Backend | undefined {
  const address = service?.spec?.clusterIP;
  const ports = service?.spec?.ports ?? [];
  const wanted = route.spec.port?.targetPort;
  const port =
    wanted === undefined
      ? ports[0]
      : ports.find((one) => one.name === wanted || one.targetPort === wanted || one.port === wanted);
  return address && address !== 'None' && port ? { host: address, port: port.port } : undefined;
}

/** The status to write, or undefined when the Route says it already. Other routers' entries stay. */
export function routeStatus(
  route: openshift.Route,
  { host, heldBy }: RouteClaim,
  now: number,
): openshift.Route['status'] | undefined {
  const entries = route.status?.ingress ?? [];
  // The router of the control plane itself speaks for the Routes it serves.
  if (entries.some((entry) => entry.routerName !== routerName)) return undefined;
  const own = entries.find((entry) => entry.routerName === routerName);
  const admitted = heldBy === undefined ? 'True' : 'False';
  const known = own?.conditions?.find(({ type }) => type === 'Admitted');
  if (own?.host === host && known?.status === admitted) return undefined;
  const condition = {
    type: 'Admitted',
    status: admitted,
    lastTransitionTime: formatTime(now),
    ...(heldBy === undefined
      ? {}
      : { reason: 'HostAlreadyClaimed', message: `Route ${heldBy} has host ${host} already` }),
  };
  return { ingress: [{ host, routerName, wildcardPolicy: 'None', conditions: [condition] }] };
}
