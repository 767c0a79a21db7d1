import { labels } from '@hypershift-ts/hypershift-api';
import { corev1, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { ControlPlaneContext } from '../../framework/context.ts';
import { routes } from '../../framework/optional-kinds.ts';

interface Target {
  readonly name: string;
  readonly host: string;
  readonly service: string;
  readonly port: number;
}

/** HAProxy's configuration: one backend per host, in the order of names so that it changes only with the Routes. */
export function routerConfiguration(context: ControlPlaneContext): string {
  const targets = targetsOf(context);
  const rules = targets.flatMap(({ name, host }) => [
    `  acl is_${name} req_ssl_sni -i ${host}`,
    `  use_backend ${name} if is_${name}`,
  ]);
  const hasApi = context.lookup.get(corev1.services, 'kube-apiserver') !== undefined;
  const backends = targets.map(({ name, service, port }) => `backend ${name}\n  server ${name} ${service}:${port}`);
  return `global
  log stdout local0
  maxconn 20000

defaults
  mode tcp
  log global
  option dontlognull
  retries 3
  timeout http-request 30s
  timeout queue 1m
  timeout connect 10s
  timeout client 86400s
  timeout server 86400s
  timeout tunnel 86400s

frontend main
  bind :::8443 v4v6
  tcp-request inspect-delay 5s
  tcp-request content accept if { req_ssl_hello_type 1 }
${rules.join('\n')}${hasApi ? '\n  default_backend kube_api' : ''}

listen health_check_http_url
  bind :::9444 v4v6
  mode http
  monitor-uri /haproxy_ready
${[...backends, ...(hasApi ? ['backend kube_api\n  server kube_api kube-apiserver:6443'] : [])].map((text) => `\n${text}\n`).join('')}`;
}

interface RouteSpec {
  readonly host?: string;
  readonly to?: { readonly name?: string };
  readonly port?: { readonly targetPort?: string | number };
}

function targetsOf({ lookup, namespace }: ControlPlaneContext): readonly Target[] {
  return lookup
    .list(routes)
    .filter(({ metadata }) => metadata.labels?.[labels.hostedControlPlane.key] === namespace)
    .map((route) => targetOf(route, lookup.get(corev1.services, specOf(route).to?.name ?? '')))
    .filter((target) => target !== undefined)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const specOf = (route: UnstructuredObject): RouteSpec => (route['spec'] ?? {}) as RouteSpec;

function targetOf(route: UnstructuredObject, service: corev1.Service | undefined): Target | undefined {
  const { host, to } = specOf(route);
  const port = service?.spec?.ports?.[0]?.port;
  // A host ends up in a configuration language, so only what can be a host name gets in.
  if (!host || !to?.name || port === undefined || !/^[a-z0-9.-]+$/i.test(host)) return undefined;
  return { name: (route.metadata.name ?? '').replaceAll('-', '_'), host, service: to.name, port };
}
