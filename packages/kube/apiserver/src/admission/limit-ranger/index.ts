import { statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../../kinds/behaviour.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { nameForErrors } from '../error-name.ts';
import type { WatchedByNamespace } from '../watched-by-namespace.ts';
import { claimFaults, type LimitItem, podFaults } from './limits.ts';

const annotation = 'kubernetes.io/limit-ranger';

/** Fills in what containers do not ask for and holds pods and claims to the limits of their namespace. */
export function limitRanger(ranges: Pick<WatchedByNamespace, 'in'>): AdmissionPlugin {
  const itemsFor = (namespace: string): readonly LimitItem[] =>
    ranges.in(namespace).flatMap((range) => (range['spec'] as { limits?: LimitItem[] } | undefined)?.limits ?? []);
  return {
    name: 'LimitRanger',
    handles: ({ resource, operation, subresource, namespace }) =>
      resource.group === '' &&
      subresource === '' &&
      // Pods cannot change what they ask for; claims can grow.
      ((resource.resource === 'pods' && operation === 'CREATE') ||
        (resource.resource === 'persistentvolumeclaims' && (operation === 'CREATE' || operation === 'UPDATE'))) &&
      ranges.in(namespace).length > 0,
    mutate({ resource, object, namespace }) {
      if (resource.resource !== 'pods') return;
      for (const item of itemsFor(namespace)) if (item.type === 'Container') setDefaults(object!, item);
    },
    validate(request) {
      const { resource, object, namespace } = request;
      const faultsOf = resource.resource === 'pods' ? podFaults : claimFaults;
      const faults = itemsFor(namespace).flatMap((item) => faultsOf(item, (object!['spec'] ?? {}) as Draft));
      if (faults.length > 0) throw refusal(request, [...new Set(faults)]);
    },
  };
}

function refusal(request: AdmissionRequest, faults: readonly string[]) {
  const text = faults.length === 1 ? faults[0]! : `[${faults.join(', ')}]`;
  return statusErrors.forbidden(request.resource, nameForErrors(request), text);
}

/** Missing requests and limits come from the range, and an annotation says which. */
function setDefaults(pod: Draft, item: LimitItem): void {
  const notes: string[] = [];
  for (const [list, what] of [
    ['containers', 'container'],
    ['initContainers', 'init container'],
  ] as const)
    for (const container of (pod['spec']?.[list] ?? []) as Draft[]) {
      const requests = fill(container, 'requests', item.defaultRequest);
      const limits = fill(container, 'limits', item.default);
      if (requests.length > 0) notes.push(`${requests.join(', ')} request for ${what} ${container['name']}`);
      if (limits.length > 0) notes.push(`${limits.join(', ')} limit for ${what} ${container['name']}`);
    }
  if (notes.length === 0) return;
  const metadata = pod['metadata'];
  const before = metadata.annotations?.[annotation];
  const text = `LimitRanger plugin set: ${notes.join('; ')}`;
  metadata.annotations = { ...metadata.annotations, [annotation]: before ? `${before}; ${notes.join('; ')}` : text };
}

function fill(
  container: Draft,
  part: 'requests' | 'limits',
  defaults: Readonly<Record<string, string>> | undefined,
): string[] {
  const present = (container['resources']?.[part] ?? {}) as Record<string, string>;
  const missing = Object.keys(defaults ?? {})
    .filter((name) => present[name] === undefined)
    .sort();
  if (missing.length === 0) return missing;
  const added = Object.fromEntries(missing.map((name) => [name, defaults![name]!]));
  container['resources'] = { ...container['resources'], [part]: { ...present, ...added } };
  return missing;
}
