/** How a Service is published by the routers. Served by an aggregated API on OpenShift, by this CRD elsewhere. */
import { defineKind, enumOf, int32, intOrString, list, object, string } from '../schema/index.ts';
import { freeForm, operatorCondition } from './free-form.ts';

const target = object({
  kind: enumOf(['Service', '']).optional().default('Service'),
  name: string({ minLength: 1 }),
  weight: int32({ minimum: 0, maximum: 256 }).optional().default(100),
});

const tls = object({
  termination: enumOf(['edge', 'reencrypt', 'passthrough']),
  insecureEdgeTerminationPolicy: enumOf(['Allow', 'None', 'Redirect', '']).optional(),
  certificate: string().optional(),
  key: string().optional(),
  caCertificate: string().optional(),
  destinationCACertificate: string().optional(),
  externalCertificate: object({ name: string().optional() }, { atomic: true }).optional(),
});

const routeIngressCondition = object({
  ...operatorCondition.fields,
  lastTransitionTime: string({ format: 'date-time' }).optional(),
});

const routeIngress = object({
  host: string().optional(),
  routerName: string().optional(),
  routerCanonicalHostname: string().optional(),
  wildcardPolicy: string().optional(),
  conditions: list(routeIngressCondition, { type: 'map', keys: ['type'] }).optional(),
});

export const route = defineKind({
  group: 'route.openshift.io',
  version: 'v1',
  kind: 'Route',
  plural: 'routes',
  scope: 'Namespaced',
  description: 'Publishes a Service under a host name.',
  statusSubresource: true,
  columns: [
    { name: 'Host', type: 'string', jsonPath: '.status.ingress[0].host' },
    { name: 'Admitted', type: 'string', jsonPath: '.status.ingress[0].conditions[?(@.type=="Admitted")].status' },
    { name: 'Service', type: 'string', jsonPath: '.spec.to.name' },
    { name: 'TLS', type: 'string', jsonPath: '.spec.tls.type' },
  ],
  fields: {
    spec: object({
      host: string({ maxLength: 253 }).optional(),
      subdomain: string({ maxLength: 253 }).optional(),
      path: string({ pattern: '^/' }).optional(),
      to: target,
      alternateBackends: list(target, { type: 'map', keys: ['name', 'kind'], maxItems: 3 }).optional(),
      port: object({ targetPort: intOrString() }).optional(),
      tls: tls.optional(),
      wildcardPolicy: enumOf(['None', 'Subdomain', '']).optional().default('None'),
      httpHeaders: freeForm().optional(),
    }),
    status: object({ ingress: list(routeIngress, { type: 'atomic' }).optional() }).optional(),
  },
});
