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
