import { corev1, discoveryv1 } from '@hypershift-ts/kube-apimachinery';
import type { Informer, InformerCache } from '@hypershift-ts/kube-client';
import { resolveService } from './service-names.ts';

const serviceLabel = 'kubernetes.io/service-name';
const serviceIndex = 'service';

/** Index of endpoint slices by the Service they belong to, shared by everybody who uses the same informer. */
export function indexByService(
  slices: Informer<discoveryv1.EndpointSlice>,
): (key: string) => discoveryv1.EndpointSlice[] {
  slices.addIndex(serviceIndex, (slice) => [serviceKeyOf(slice)]);
  return (key) => slices.byIndex(serviceIndex, key);
}

/** `namespace/name` of the Service a slice belongs to. */
export function serviceKeyOf({ metadata }: discoveryv1.EndpointSlice): string {
  return `${metadata.namespace}/${metadata.labels?.[serviceLabel] ?? ''}`;
}

/** What a cluster's DNS would know, from informers that start when somebody asks. */
export class ClusterNames {
  private readonly cache: InformerCache;
  private readonly withEndpoints: boolean;

  /** Without endpoints, names of headless Services and their pods stay unknown; a node of its own should not watch them. */
  constructor(cache: InformerCache, withEndpoints: boolean) {
    this.cache = cache;
    this.withEndpoints = withEndpoints;
  }

  /** The address behind a DNS name as a pod of `namespace` writes it; the name itself when nobody has it. */
  resolve(name: string, namespace: string): string {
    const services = this.cache.informer(corev1.services);
    return resolveService(
      name,
      namespace,
      (key) => services.get(key),
      (key) => this.slicesOf(key),
    );
  }

  /** Every name a pod of `namespace` finds there for its own Services, with the address behind it. */
  namesIn(namespace: string): readonly (readonly [name: string, address: string])[] {
    const own = this.cache.informer(corev1.services).list(namespace);
    const found: (readonly [string, string])[] = [];
    const add = (name: string) => {
      const address = this.resolve(name, namespace);
      if (address !== name) found.push([name, address]);
    };
    for (const { metadata } of own) {
      const hosts = this.slicesOf(`${namespace}/${metadata.name}`)
        .flatMap(({ endpoints }) => endpoints ?? [])
        .flatMap(({ hostname }) => (hostname ? [`${hostname}.`] : []));
      for (const host of ['', ...hosts])
        for (const suffix of ['', `.${namespace}`, `.${namespace}.svc`, `.${namespace}.svc.cluster.local`])
          add(`${host}${metadata.name}${suffix}`);
    }
    for (const suffix of ['', '.svc', '.svc.cluster.local']) add(`kubernetes.default${suffix}`);
    return found;
  }

  /** Calls back after every change of Services and endpoints. */
  follow(changed: () => void): () => void {
    const handler = { added: changed, updated: changed, deleted: changed };
    const endings = [this.cache.informer(corev1.services).addHandler(handler)];
    if (this.withEndpoints) endings.push(this.cache.informer(discoveryv1.endpointslices).addHandler(handler));
    return () => {
      for (const end of endings) end();
    };
  }

  private slicesOf(key: string): readonly discoveryv1.EndpointSlice[] {
    return this.withEndpoints ? indexByService(this.cache.informer(discoveryv1.endpointslices))(key) : [];
  }
}
