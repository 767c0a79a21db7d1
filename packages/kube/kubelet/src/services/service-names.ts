import type { corev1 } from '@hypershift-ts/kube-apimachinery';

/**
 * The address behind a Service's DNS name as a pod of `namespace` would write it: `name`, `name.ns`, `name.ns.svc` or
 * `name.ns.svc.cluster.local`. Names that are no Service come back unchanged.
 */
export function resolveService(
  name: string,
  namespace: string,
  serviceOf: (key: string) => corev1.Service | undefined,
): string {
  const [first, second, third, ...rest] = name.replace(/\.$/, '').split('.');
  const isServiceName =
    third === undefined || (third === 'svc' && (rest.length === 0 || rest.join('.') === 'cluster.local'));
  if (!first || !isServiceName) return name;
  const service = serviceOf(`${second ?? namespace}/${first}`);
  if (!service) return name;
  if (service.spec?.type === 'ExternalName') return service.spec.externalName ?? name;
  const address = service.spec?.clusterIP;
  return address && address !== 'None' ? address : name;
}
