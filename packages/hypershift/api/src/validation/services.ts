/** How the endpoints of a control plane are published. */
import { type FieldError, fieldError } from '@hypershift-ts/kube-apimachinery';
import { lifeCycleAnnotations } from '../annotations/index.ts';
import type { HostedClusterCheck, HostedClusterSpec } from './facts.ts';

type Service = HostedClusterSpec['services'][number]['service'];

const strategyField = (index: number): string => `spec.services[${index}].servicePublishingStrategy`;

const indexOf = (spec: HostedClusterSpec, service: Service): number =>
  (spec.services ?? []).findIndex((one) => one.service === service);

function hostnameOf({ servicePublishingStrategy: strategy }: HostedClusterSpec['services'][number]) {
  if (strategy?.route?.hostname) return { member: 'route', hostname: strategy.route.hostname };
  if (strategy?.loadBalancer?.hostname) return { member: 'loadBalancer', hostname: strategy.loadBalancer.hostname };
  return undefined;
}

/** Routes need an API that not every management cluster has. */
export const validateRouteSupport: HostedClusterCheck = ({ spec }, { hasRoutes }) =>
  hasRoutes === false
    ? (spec.services ?? []).flatMap(({ service, servicePublishingStrategy }, index) =>
        servicePublishingStrategy?.type === 'Route'
          ? [
              fieldError.invalidOmitted(
                `${strategyField(index)}.type`,
                `cluster does not support Routes, but service "${service}" is exposed via a Route`,
              ),
            ]
          : [],
      )
    : [];

/** Each service is published once. */
export const validateUniqueServices: HostedClusterCheck = ({ spec }) =>
  (spec.services ?? []).flatMap(({ service }, index) =>
    indexOf(spec, service) < index ? [fieldError.duplicate(`spec.services[${index}].service`, service)] : [],
  );

/** Services a control plane cannot be used without. The provider of IBMCloud publishes its own. */
export const validateNeededServices: HostedClusterCheck = ({ metadata, spec }) => {
  if (spec.platform?.type === 'IBMCloud') return [];
  const login = spec.configuration?.authentication?.type ?? 'IntegratedOAuth';
  const ignition = metadata.annotations?.[lifeCycleAnnotations.disableIgnitionServer.key] === undefined;
  const needed: readonly Service[] = [
    'APIServer',
    'Konnectivity',
    ...(login === 'OIDC' || login === 'None' ? [] : (['OAuthServer'] as const)),
    ...(ignition ? (['Ignition'] as const) : []),
  ];
  return needed
    .filter((service) => indexOf(spec, service) < 0)
    .map((service) => fieldError.required('spec.services', `an entry for service ${service}`));
};

/** Two services behind one name cannot be told apart. */
export const validateUniqueHostnames: HostedClusterCheck = ({ spec }) => {
  const seen = new Map<string, Service>();
  return (spec.services ?? []).flatMap((entry, index) => {
    const found = hostnameOf(entry);
    if (!found) return [];
    const other = seen.get(found.hostname);
    seen.set(found.hostname, other ?? entry.service);
    if (other === undefined || other === entry.service) return [];
    const field = `${strategyField(index)}.${found.member}.hostname`;
    return [fieldError.invalid(field, found.hostname, `is used by service ${other} already`)];
  });
};

/** On AWS everything but the API server goes through Routes; the API server needs a name or a load balancer. */
export const validateAWSServices: HostedClusterCheck = ({ spec }) => {
  if (spec.platform?.type !== 'AWS') return [];
  const routed = (['OAuthServer', 'Konnectivity', 'Ignition'] as const).flatMap((service) => {
    const index = indexOf(spec, service);
    const type = spec.services[index]?.servicePublishingStrategy.type;
    return type === undefined || type === 'Route'
      ? []
      : [
          fieldError.invalid(
            `${strategyField(index)}.type`,
            type,
            `service ${service} must be published by Route on AWS`,
          ),
        ];
  });
  return [...routed, ...apiServerOnAWS(spec)];
};

function apiServerOnAWS(spec: HostedClusterSpec): FieldError[] {
  const index = indexOf(spec, 'APIServer');
  const entry = spec.services[index];
  if (!entry) return [];
  const { type, route } = entry.servicePublishingStrategy;
  const isPrivate = spec.platform.aws?.endpointAccess === 'Private';
  if (type === 'Route' && !isPrivate && !route?.hostname)
    return [
      fieldError.required(`${strategyField(index)}.route.hostname`, 'the API server needs a name to be routed by'),
    ];
  if (type === 'Route' || type === 'LoadBalancer') return [];
  const allowed = isPrivate ? 'Route or LoadBalancer' : 'LoadBalancer, or Route with a hostname';
  return [
    fieldError.invalid(
      `${strategyField(index)}.type`,
      type,
      `service APIServer must be published by ${allowed} on AWS`,
    ),
  ];
}
