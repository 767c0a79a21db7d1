import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { isOAuthEnabled, isPlatform } from '../framework/cluster-facts.ts';
import type { ControlPlaneContext, Endpoint, PublishedEndpoints } from '../framework/context.ts';
import { routes } from '../framework/optional-kinds.ts';
import { internalDomain, isPublic, strategyFor, usesOwnRouter, isPrivate } from './publishing.ts';

export interface InfrastructureStatus extends PublishedEndpoints {
  readonly ready: boolean;
  /** What is awaited; empty when ready. */
  readonly message: string;
}

/** One service: where it is, or what it waits for. */
interface Found {
  readonly endpoint?: Endpoint;
  readonly message?: string;
}

type Facts = Pick<ControlPlaneContext, 'hcp' | 'lookup' | 'namespace'>;

/** Texts of the warnings about an object, newest last; the shell reads them from Events. */
export type EventTexts = (service: string) => readonly string[];

const isAzure = isPlatform('Azure');

/** Whether every published service has an address, and which. `now` is in milliseconds. */
export function infrastructureStatus(context: Facts, now: number, events: EventTexts = () => []): InfrastructureStatus {
  const see: Sight = { context, now, events };
  const api = apiEndpoint(see);
  const konnectivity = konnectivityEndpoint(see);
  const oauth = isOAuthEnabled(context) ? oauthEndpoint(see) : undefined;
  const routers = usesOwnRouter(context) ? routerMessages(see) : [];
  const awaited = [api, konnectivity, ...(oauth ? [oauth] : [])].filter(({ endpoint }) => endpoint === undefined);
  const messages = [...awaited.map(({ message }) => message ?? ''), ...routers].filter((text) => text !== '');
  return {
    ...(api.endpoint ? { api: api.endpoint } : {}),
    ...(konnectivity.endpoint ? { konnectivity: konnectivity.endpoint } : {}),
    ...(oauth?.endpoint ? { oauth: oauth.endpoint } : {}),
    ready: awaited.length === 0 && routers.length === 0,
    message: messages.join('; '),
  };
}

interface Sight {
  readonly context: Facts;
  readonly now: number;
  readonly events: EventTexts;
}

function apiEndpoint(see: Sight): Found {
  const { context } = see;
  const strategy = strategyFor(context, 'APIServer');
  const port = context.hcp.spec.networking?.apiServer?.port ?? 6443;
  if (!isPublic(context)) return { endpoint: { host: `api.${internalDomain(context)}`, port } };
  switch (strategy?.type) {
    case 'LoadBalancer':
      if (strategy.loadBalancer?.hostname)
        return { endpoint: { host: strategy.loadBalancer.hostname, port: isAzure(context) ? 7443 : 6443 } };
      return isAzure(context) ? balanced(see, 'kube-apiserverlb', 7443) : balanced(see, 'kube-apiserver', 6443);
    case 'NodePort':
      return onNodes(see, 'kube-apiserver', strategy.nodePort?.address);
    case 'Route':
      return routed(see, 'kube-apiserver', 'Kube APIServer', strategy.route?.hostname);
    default:
      return { message: 'Kube APIServer service strategy not specified' };
  }
}

function konnectivityEndpoint(see: Sight): Found {
  const strategy = strategyFor(see.context, 'Konnectivity');
  switch (strategy?.type) {
    case 'LoadBalancer':
      if (strategy.loadBalancer?.hostname) return { endpoint: { host: strategy.loadBalancer.hostname, port: 8091 } };
      return balanced(see, 'konnectivity-server', 8091, 'Konnectivity');
    case 'NodePort':
      return onNodes(see, 'konnectivity-server', strategy.nodePort?.address);
    case 'Route':
      return isPublic(see.context)
        ? routed(see, 'konnectivity-server', 'Konnectivity', strategy.route?.hostname)
        : routed(
            see,
            'konnectivity-server-internal',
            'Konnectivity',
            `konnectivity-server.apps.${internalDomain(see.context)}`,
          );
    default:
      return { message: 'Konnectivity service strategy not specified' };
  }
}

function oauthEndpoint(see: Sight): Found {
  const strategy = strategyFor(see.context, 'OAuthServer');
  switch (strategy?.type) {
    case 'LoadBalancer':
      if (strategy.loadBalancer?.hostname) return { endpoint: { host: strategy.loadBalancer.hostname, port: 443 } };
      return balanced(see, 'oauth-openshift', 443, 'OAuth');
    case 'NodePort':
      return onNodes(see, 'oauth-openshift', strategy.nodePort?.address);
    case 'Route':
      return isPublic(see.context)
        ? routed(see, 'oauth', 'OAuth', strategy.route?.hostname)
        : routed(
            see,
            'oauth-internal',
            'OAuth',
            strategy.route?.hostname ?? `oauth.apps.${internalDomain(see.context)}`,
          );
    default:
      return { message: 'OAuthServer service strategy not specified' };
  }
}

function balanced(see: Sight, name: string, port: number, title = name): Found {
  const service = see.context.lookup.get(corev1.services, name);
  const host = service?.status?.loadBalancer?.ingress?.[0]?.hostname ?? service?.status?.loadBalancer?.ingress?.[0]?.ip;
  if (host) return { endpoint: { host, port } };
  const texts = see.events(name);
  if (texts.length > 0) return { message: `${title} load balancer is not provisioned: ${texts.join('; ')}` };
  return { message: `${title} load balancer is not provisioned; ${age(service, see.now)} since creation` };
}

function onNodes(see: Sight, name: string, address: string | undefined): Found {
  const port = see.context.lookup.get(corev1.services, name)?.spec?.ports?.[0]?.nodePort;
  if (!address) return { message: `strategy details not specified for ${name} nodeport type service` };
  return port ? { endpoint: { host: address, port } } : { message: `${name} has no node port yet` };
}

function routed(see: Sight, name: string, title: string, hostname: string | undefined): Found {
  if (hostname) return { endpoint: { host: hostname, port: 443 } };
  const route = see.context.lookup.get(routes, name);
  const host = (route?.['spec'] as { readonly host?: string } | undefined)?.host;
  if (host) return { endpoint: { host, port: 443 } };
  return { message: `${title} service route does not contain valid host; ${age(route, see.now)} since creation` };
}

function routerMessages(see: Sight): readonly string[] {
  const names = [...(isPublic(see.context) ? ['router'] : []), ...(isPrivate(see.context) ? ['private-router'] : [])];
  return names.map((name) => balanced(see, name, 443).message).filter((text) => text !== undefined);
}

/** `5m`, `2h`, `3d`: short, because it changes with every reconcile only at the rate of its unit. */
function age(object: { readonly metadata: { readonly creationTimestamp?: string } } | undefined, now: number): string {
  const created = Date.parse(object?.metadata.creationTimestamp ?? '');
  const seconds = Number.isNaN(created) ? 0 : Math.max(0, Math.floor((now - created) / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86400)}d`;
}
