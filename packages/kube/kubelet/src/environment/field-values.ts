import { type corev1, parseQuantity, type Quantity } from '@hypershift-ts/kube-apimachinery';

/** What the downward API knows about the place a pod runs at. */
export interface PodFacts {
  readonly pod: corev1.Pod;
  readonly podIP: string;
  readonly hostIP: string;
  readonly nodeName: string;
  /** What limits fall back to when the container sets none. */
  readonly allocatable: Readonly<Record<string, string>>;
}

class FieldError extends Error {}

/** The value of a downward API field such as `metadata.labels['app']`. */
export function fieldValue(path: string, { pod, podIP, hostIP, nodeName }: PodFacts): string {
  const subscript = /^(metadata\.(?:labels|annotations))\['(.*)'\]$/.exec(path);
  if (subscript) {
    const map = subscript[1] === 'metadata.labels' ? pod.metadata.labels : pod.metadata.annotations;
    return map?.[subscript[2] as string] ?? '';
  }
  switch (path) {
    case 'metadata.name':
      return pod.metadata.name ?? '';
    case 'metadata.namespace':
      return pod.metadata.namespace ?? '';
    case 'metadata.uid':
      return pod.metadata.uid ?? '';
    case 'metadata.labels':
      return formatMap(pod.metadata.labels);
    case 'metadata.annotations':
      return formatMap(pod.metadata.annotations);
    case 'spec.nodeName':
      return pod.spec?.nodeName ?? nodeName;
    case 'spec.serviceAccountName':
      return pod.spec?.serviceAccountName ?? 'default';
    case 'status.hostIP':
    case 'status.hostIPs':
      return hostIP;
    case 'status.podIP':
    case 'status.podIPs':
      return podIP;
    default:
      throw new FieldError(`unsupported fieldPath: ${path}`);
  }
}

/** The value of a resourceFieldRef: requests and limits of a container in units of the divisor, rounded up. */
export function resourceValue(
  selector: corev1.ResourceFieldSelector,
  container: corev1.Container,
  facts: PodFacts,
): string {
  const match = /^(requests|limits)\.(.+)$/.exec(selector.resource);
  if (!match) throw new FieldError(`unsupported container resource: ${selector.resource}`);
  const [, kind, resource] = match as unknown as [string, 'requests' | 'limits', string];
  const text =
    container.resources?.[kind]?.[resource] ?? (kind === 'limits' ? facts.allocatable[resource] : undefined) ?? '0';
  const divisor = parseQuantity(selector.divisor === undefined || selector.divisor === '0' ? '1' : selector.divisor);
  return String(dividedUp(parseQuantity(text), divisor));
}

function dividedUp(amount: Quantity, divisor: Quantity): bigint {
  const scale = Math.min(amount.scale, divisor.scale, 0);
  const left = amount.scaledValue(scale);
  const right = divisor.scaledValue(scale);
  return right === 0n ? 0n : (left + right - 1n) / right;
}

/** `key="value"` lines in the order of the keys, as the downward API writes label and annotation maps. */
function formatMap(map: Readonly<Record<string, string>> | undefined): string {
  return Object.entries(map ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n');
}
