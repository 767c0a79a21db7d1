/** What tells Prometheus what to scrape and when to alert; typed as far as control planes need it. */
import { labelSelector } from '../common/index.ts';
import {
  type AnyNode,
  boolean,
  defineKind,
  enumOf,
  intOrString,
  list,
  object,
  string,
  stringMap,
} from '../schema/index.ts';
import { freeForm, partly } from './free-form.ts';

function monitoringKind<const Kind extends string, const F extends { readonly [name: string]: AnyNode }>(
  kind: Kind,
  plural: string,
  shortNames: readonly string[],
  description: string,
  fields: F,
) {
  return defineKind({
    group: 'monitoring.coreos.com',
    version: 'v1',
    kind,
    plural,
    shortNames,
    categories: ['prometheus-operator'],
    scope: 'Namespaced',
    description,
    fields,
  });
}

const secretKey = object(
  { key: string(), name: string().optional(), optional: boolean().optional() },
  { atomic: true },
);
const secretOrConfigMap = object({ secret: secretKey.optional(), configMap: secretKey.optional() });
const duration = string({
  pattern: '^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$',
});

const relabelling = partly({
  action: string().optional(),
  regex: string().optional(),
  replacement: string().optional(),
  separator: string().optional(),
  sourceLabels: list(string()).optional(),
  targetLabel: string().optional(),
});

const endpoint = {
  port: string().optional(),
  targetPort: intOrString().optional(),
  path: string().optional(),
  scheme: enumOf(['http', 'https', 'HTTP', 'HTTPS']).optional(),
  interval: duration.optional(),
  scrapeTimeout: duration.optional(),
  honorLabels: boolean().optional(),
  relabelings: list(relabelling).optional(),
  metricRelabelings: list(relabelling).optional(),
  bearerTokenSecret: secretKey.optional(),
  tlsConfig: partly({
    ca: secretOrConfigMap.optional(),
    cert: secretOrConfigMap.optional(),
    keySecret: secretKey.optional(),
    serverName: string().optional(),
    insecureSkipVerify: boolean().optional(),
  }).optional(),
};

const namespaceSelector = object({ any: boolean().optional(), matchNames: list(string()).optional() });

export const serviceMonitor = monitoringKind('ServiceMonitor', 'servicemonitors', ['smon'], 'Services to scrape.', {
  spec: partly({
    jobLabel: string().optional(),
    selector: labelSelector,
    namespaceSelector: namespaceSelector.optional(),
    endpoints: list(partly(endpoint)),
  }),
  status: freeForm().optional(),
});

export const podMonitor = monitoringKind('PodMonitor', 'podmonitors', ['pmon'], 'Pods to scrape.', {
  spec: partly({
    jobLabel: string().optional(),
    selector: labelSelector,
    namespaceSelector: namespaceSelector.optional(),
    podMetricsEndpoints: list(partly(endpoint)).optional(),
  }),
  status: freeForm().optional(),
});

const prometheusRuleEntry = partly({
  alert: string().optional(),
  record: string().optional(),
  expr: intOrString(),
  for: duration.optional(),
  labels: stringMap().optional(),
  annotations: stringMap().optional(),
});

export const prometheusRule = monitoringKind(
  'PrometheusRule',
  'prometheusrules',
  ['promrule'],
  'Alerts and recorded series.',
  {
    spec: partly({
      groups: list(
        partly({
          name: string({ minLength: 1 }),
          interval: duration.optional(),
          rules: list(prometheusRuleEntry).optional(),
        }),
        { type: 'map', keys: ['name'] },
      ).optional(),
    }),
    status: freeForm().optional(),
  },
);
