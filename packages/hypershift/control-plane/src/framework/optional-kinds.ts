import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { isConditionTrue } from '@hypershift-ts/kube-apimachinery';
import type { ControlPlaneContext } from './context.ts';
import type { Manifest } from './manifest.ts';

/** Kinds a management cluster may lack. Objects of missing kinds are left out; nothing requires them. */
export const routes: ResourceType = {
  group: 'route.openshift.io',
  version: 'v1',
  kind: 'Route',
  resource: 'routes',
  namespaced: true,
};
export const imageStreams: ResourceType = {
  group: 'image.openshift.io',
  version: 'v1',
  kind: 'ImageStream',
  resource: 'imagestreams',
  namespaced: true,
};
export const serviceMonitors = monitoring('ServiceMonitor', 'servicemonitors');
export const podMonitors = monitoring('PodMonitor', 'podmonitors');
export const prometheusRules = monitoring('PrometheusRule', 'prometheusrules');

export const optionalKinds: readonly ResourceType<KubeObject>[] = [
  routes,
  imageStreams,
  serviceMonitors,
  podMonitors,
  prometheusRules,
];

function monitoring(kind: string, resource: string): ResourceType {
  return { group: 'monitoring.coreos.com', version: 'v1', kind, resource, namespaced: true };
}

/** Scraping before the cluster serves only fires alerts about a cluster that is being installed. */
function monitored({ hcp }: ControlPlaneContext): boolean {
  return isConditionTrue(hcp.status?.conditions, 'ClusterVersionAvailable');
}

/** Whether anything asks to be scraped now. */
export function isMonitored(context: ControlPlaneContext): boolean {
  return [serviceMonitors, podMonitors].some((type) => context.management.serves(type)) && monitored(context);
}

interface Scrape {
  readonly port: string;
  readonly path?: string;
  /** Name to check the certificate against; absent means plain HTTP. */
  readonly serverName?: string;
  readonly selector?: Readonly<Record<string, string>>;
}

/** Who may scrape, and with which certificate. */
function scrapeTls(serverName: string): object {
  return {
    scheme: 'https',
    tlsConfig: {
      serverName,
      cert: { secret: { name: 'metrics-client', key: 'tls.crt' } },
      keySecret: { name: 'metrics-client', key: 'tls.key' },
      ca: { configMap: { name: 'root-ca', key: 'ca.crt' } },
    },
  };
}

/** Scrapes the pods behind a Service. */
export function serviceMonitor(name: string, scrape: Scrape): Manifest {
  return {
    type: serviceMonitors,
    name,
    when: monitored,
    build: ({ namespace }) => ({
      spec: {
        namespaceSelector: { matchNames: [namespace] },
        selector: { matchLabels: scrape.selector ?? { app: name } },
        endpoints: [
          {
            port: scrape.port,
            path: scrape.path ?? '/metrics',
            ...(scrape.serverName ? scrapeTls(scrape.serverName) : {}),
          },
        ],
      },
    }),
  };
}

/** Scrapes pods directly. */
export function podMonitor(name: string, scrape: Scrape): Manifest {
  return {
    type: podMonitors,
    name,
    when: monitored,
    build: ({ namespace }) => ({
      spec: {
        namespaceSelector: { matchNames: [namespace] },
        selector: { matchLabels: scrape.selector ?? { app: name } },
        podMetricsEndpoints: [
          {
            port: scrape.port,
            path: scrape.path ?? '/metrics',
            ...(scrape.serverName ? scrapeTls(scrape.serverName) : {}),
          },
        ],
      },
    }),
  };
}
