import { type corev1, type KubeObject } from '@hypershift-ts/kube-apimachinery';

interface Webhooks extends KubeObject {
  readonly webhooks?: readonly { readonly name: string; readonly clientConfig: { readonly url?: string } }[];
}

/** Host of a URL; undefined for what is none. */
function hostOf(url: string): string | undefined {
  try {
    return new URL(url).hostname.toLowerCase();
  } catch {
    return undefined;
  }
}

/** Names under which a Service of the control plane's namespace is found from inside that namespace. */
function namesOf(service: string, namespace: string): readonly string[] {
  return [
    service,
    `${service}.${namespace}`,
    `${service}.${namespace}.svc`,
    `${service}.${namespace}.svc.cluster.local`,
  ];
}

/**
 * The Service of the control plane that a webhook configuration of the hosted cluster would reach; undefined when it
 * reaches none. The API server calls webhooks from the control plane's namespace, where users of the hosted cluster
 * have no business. Whole host names count, so that `https://kube-apiserver.example.com` is nobody's Service.
 */
export function forbiddenTarget(
  { webhooks = [] }: Webhooks,
  services: readonly corev1.Service[],
  allowLabel: string,
): { readonly webhook: string; readonly service: string } | undefined {
  for (const { name: webhook, clientConfig } of webhooks) {
    const host = clientConfig.url === undefined ? undefined : hostOf(clientConfig.url);
    if (host === undefined) continue;
    const found = services.find(({ metadata, spec }) => {
      if (metadata.labels?.[allowLabel] === 'true') return false;
      const addresses = [spec?.clusterIP, ...(spec?.clusterIPs ?? [])].filter((ip) => ip && ip !== 'None');
      return namesOf(metadata.name ?? '', metadata.namespace ?? '').includes(host) || addresses.includes(host);
    });
    if (found) return { webhook, service: found.metadata.name ?? '' };
  }
  return undefined;
}
