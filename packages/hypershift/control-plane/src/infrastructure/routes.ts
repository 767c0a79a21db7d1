import { labels } from '@hypershift-ts/hypershift-api';
import { forwardsMetrics, isOAuthEnabled, isPlatform, runsIgnitionServer } from '../framework/cluster-facts.ts';
import type { ControlPlaneContext } from '../framework/context.ts';
import type { Manifest } from '../framework/manifest.ts';
import { routes } from '../framework/optional-kinds.ts';
import {
  internalDomain,
  isPrivate,
  isPublic,
  labelsOwnRoutes,
  type PublishedService,
  strategyFor,
} from './publishing.ts';

type Test = (context: ControlPlaneContext) => boolean;

interface RouteOptions {
  readonly service: string;
  readonly when: Test;
  readonly host: (context: ControlPlaneContext) => string | undefined;
  readonly internal?: Test;
  readonly visibility?: 'private';
}

/** A Route that hands TLS through untouched: only the service behind it holds the key. */
function route(name: string, { service, when, host, internal, visibility }: RouteOptions): Manifest {
  return {
    type: routes,
    name,
    when,
    build: (context) => {
      const isInternal = internal?.(context) ?? false;
      const own = isInternal || labelsOwnRoutes(context);
      const hostname = host(context);
      return {
        metadata: {
          labels: {
            ...(own ? { [labels.hostedControlPlane.key]: context.namespace } : {}),
            ...(isInternal ? { [labels.internalRoute.key]: 'true' } : {}),
            ...(visibility ? { [labels.routeVisibility.key]: visibility } : {}),
          },
        },
        spec: {
          ...(hostname ? { host: hostname } : {}),
          to: { kind: 'Service', name: service },
          tls: { termination: 'passthrough', insecureEdgeTerminationPolicy: 'None' },
        },
      };
    },
  };
}

const byRoute =
  (service: PublishedService): Test =>
  (context) =>
    strategyFor(context, service)?.type === 'Route';
const hostOf = (service: PublishedService) => (context: ControlPlaneContext) =>
  strategyFor(context, service)?.route?.hostname;
const all =
  (...tests: readonly Test[]): Test =>
  (context) =>
    tests.every((test) => test(context));
const apps = (name: string) => (context: ControlPlaneContext) => `${name}.apps.${internalDomain(context)}`;
const isNamed = (service: PublishedService): Test =>
  all(byRoute(service), (context) => Boolean(hostOf(service)(context)));
const onAwsOrSimilar = isPlatform('AWS', 'GCP', 'Azure');
const isHidden: Test = (context) => !isPublic(context);

/** The proxy has no entry of its own in the spec; where names are given, it is called by one of the same domain. */
function besideIgnition(context: ControlPlaneContext): string | undefined {
  const [, domain] = /^[^.]+\.(.+)$/.exec(hostOf('Ignition')(context) ?? '') ?? [];
  return domain ? `metrics-proxy-${context.hcp.metadata.name}.${domain}` : undefined;
}

/** Routes of a control plane; those that do not fit the way it is published must not exist. */
export const infrastructureRoutes: readonly Manifest[] = [
  route('kube-apiserver', {
    service: 'kube-apiserver',
    when: all(isNamed('APIServer'), isPublic),
    host: hostOf('APIServer'),
  }),
  route('kube-apiserver-private', {
    service: 'kube-apiserver',
    when: all(isNamed('APIServer'), isHidden),
    host: hostOf('APIServer'),
    visibility: 'private',
  }),
  route('kube-apiserver-internal', {
    service: 'kube-apiserver',
    when: isPrivate,
    host: (context) => `api.${internalDomain(context)}`,
    internal: isPrivate,
  }),
  route('konnectivity-server', {
    service: 'konnectivity-server',
    when: all(byRoute('Konnectivity'), isPublic),
    host: hostOf('Konnectivity'),
  }),
  route('konnectivity-server-internal', {
    service: 'konnectivity-server',
    when: all(byRoute('Konnectivity'), isPrivate),
    host: apps('konnectivity-server'),
    internal: isPrivate,
  }),
  route('oauth', {
    service: 'oauth-openshift',
    when: all(isOAuthEnabled, byRoute('OAuthServer'), isPublic),
    host: hostOf('OAuthServer'),
  }),
  route('oauth-private', {
    service: 'oauth-openshift',
    when: all(isOAuthEnabled, isNamed('OAuthServer'), isHidden, onAwsOrSimilar),
    host: hostOf('OAuthServer'),
    visibility: 'private',
  }),
  route('oauth-internal', {
    service: 'oauth-openshift',
    when: all(isOAuthEnabled, byRoute('OAuthServer'), isPrivate),
    host: apps('oauth'),
    internal: isPrivate,
  }),
  route('ignition-server', {
    service: 'ignition-server-proxy',
    when: all(runsIgnitionServer, byRoute('Ignition'), isPublic),
    host: hostOf('Ignition'),
  }),
  route('ignition-server-internal', {
    service: 'ignition-server-proxy',
    when: all(runsIgnitionServer, byRoute('Ignition'), isPrivate),
    host: apps('ignition-server'),
    internal: isPrivate,
  }),
  route('metrics-proxy', {
    service: 'metrics-proxy',
    when: forwardsMetrics,
    host: (context) => (isPrivate(context) ? apps('metrics-proxy')(context) : besideIgnition(context)),
    internal: isPrivate,
  }),
];
