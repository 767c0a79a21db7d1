/** Routes and domains of the hosted cluster. */
import { nameReference } from '../common/references.ts';
import { labelSelector } from '../common/scheduling.ts';
import { enumOf, int32, list, map, object, raw, string } from '../schema/index.ts';

export const componentRoute = object({
  name: string({ minLength: 1, maxLength: 256 }).describe('Name of the Route to adapt.'),
  namespace: string({ minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' }).describe(
    'Namespace of the Route.',
  ),
  hostname: string({
    pattern: raw`^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$|^(([a-z0-9][-a-z0-9]{0,61}[a-z0-9]|[a-z0-9]{1,63})[\.]){0,}([a-z0-9][-a-z0-9]{0,61}[a-z0-9]|[a-z0-9]{1,63})$`,
  }).describe('Host name the Route gets.'),
  labels: map(
    string({ minLength: 0, maxLength: 63 }).rule(
      'self == "" || self.matches(\'^[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$\')',
      "label values must be valid Kubernetes label values (at most 63 characters, alphanumeric, '-', '_', or '.', must start and end with alphanumeric)",
    ),
    { minProperties: 1, maxProperties: 8 },
  )
    .optional()
    .gate('IngressComponentRouteLabels')
    .describe('Labels the Route gets, for example to pick a router.')
    .rule(
      'self.all(key, key.size() <= 63 && key.size() > 0)',
      'label keys must be between 1 and 63 characters in length',
    )
    .rule(
      raw`self.all(key, key.matches('^([a-z0-9]([a-z0-9\\-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9\\-]*[a-z0-9])?)*\\/)?[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$') && key.size() <= 253)`,
      'label keys must be valid qualified names, consisting of an optional DNS subdomain prefix of up to 253 characters followed by a slash and a name segment of 1-63 characters, that consists only of alphanumeric characters, dashes, underscores, and dots, and must start and end with an alphanumeric character',
    )
    .rule(
      "self.all(key, !key.startsWith('kubernetes.io/') && !key.startsWith('k8s.io/') && !key.startsWith('openshift.io/'))",
      'kubernetes.io/, k8s.io/, and openshift.io/ prefixed label keys are reserved and may not be used',
    ),
  servingCertKeyPairSecret: nameReference
    .optional()
    .describe(
      'Secret with `tls.crt` and `tls.key` for the host name;',
      'needed when the default certificate does not cover it.',
    ),
});

export const ingressLoadBalancerPlatform = object({
  type: enumOf([
    '',
    'AWS',
    'Azure',
    'BareMetal',
    'GCP',
    'Libvirt',
    'OpenStack',
    'None',
    'VSphere',
    'oVirt',
    'IBMCloud',
    'KubeVirt',
    'EquinixMetal',
    'PowerVS',
    'AlibabaCloud',
    'Nutanix',
    'External',
  ])
    .optional()
    .describe('Platform the settings are for.'),
  aws: object({
    type: enumOf(['NLB', 'Classic']).describe('Generation of load balancer for new ingress controllers.'),
  })
    .optional()
    .describe('Settings on AWS.'),
}).describe('Load balancer defaults of one platform.');

export const hstsMaxAge = object({
  largestMaxAge: int32({ minimum: 0, maximum: 2147483647 })
    .optional()
    .describe('Most seconds a Route may promise; absent sets no bound.'),
  smallestMaxAge: int32({ minimum: 0, maximum: 2147483647 })
    .optional()
    .describe('Fewest seconds a Route must promise; absent sets no bound.'),
}).describe('How long browsers must be told to insist on HTTPS.');

export const hstsPolicy = object({
  domainPatterns: list(string(), { minItems: 1 }).describe(
    'Host names the policy is for; `*.` stands for all subdomains.',
  ),
  includeSubDomainsPolicy: enumOf(['RequireIncludeSubDomains', 'RequireNoIncludeSubDomains', 'NoOpinion'])
    .optional()
    .describe('Whether Routes must, must not or may extend the promise to subdomains.'),
  maxAge: hstsMaxAge.optional(),
  namespaceSelector: labelSelector.optional().describe('Namespaces whose Routes must follow; absent means all.'),
  preloadPolicy: enumOf(['RequirePreload', 'RequireNoPreload', 'NoOpinion'])
    .optional()
    .describe('Whether Routes must, must not or may ask to be put on the lists browsers ship with.'),
});

export const ingressConfiguration = object({
  appsDomain: string().optional().describe('Domain for Routes without a host of their own; absent means `domain`.'),
  componentRoutes: list(componentRoute, { type: 'map', keys: ['namespace', 'name'], maxItems: 250 })
    .optional()
    .describe('Other host names and certificates for Routes of the platform, such as the console.'),
  domain: string()
    .optional()
    .describe('Domain of the default router; absent derives `apps` and the domain of the cluster. Fixed once set.')
    .immutable('domain is immutable once set'),
  loadBalancer: object({
    platform: ingressLoadBalancerPlatform.optional(),
  })
    .optional()
    .describe('Defaults for load balancers in front of routers.'),
  requiredHSTSPolicies: list(hstsPolicy)
    .optional()
    .describe('Rules on the HSTS header that Routes must follow to be admitted; the first match counts.'),
}).describe('Domains, Routes and load balancers of the cluster.');
