import type { AggregatedVersion } from './aggregated.ts';

export type DiscoveryFormat = AggregatedVersion | 'legacy';

/** Longer Accept headers than any client sends are cut off rather than parsed. */
const maxLength = 4096;

/**
 * Which form of `/api` and `/apis` an Accept header asks for: the aggregated list when it is named with a version
 * known here, the old lists otherwise.
 */
export function discoveryFormat(accept: string | undefined): DiscoveryFormat {
  if (!accept) return 'legacy';
  const ranges = accept.slice(0, maxLength).split(',').map(parseRange);
  const best = ranges
    .filter(({ format, quality }) => format !== undefined && quality > 0)
    .sort((a, b) => b.quality - a.quality)[0];
  return best?.format ?? 'legacy';
}

function parseRange(range: string): { format: DiscoveryFormat | undefined; quality: number } {
  const [type = '', ...rest] = range.split(';').map((part) => part.trim());
  const parameters = new Map(
    rest.map((part) => {
      const [name = '', value = ''] = part.split('=', 2);
      return [name.trim(), value.trim()];
    }),
  );
  const quality = parameters.has('q') ? Number(parameters.get('q')) || 0 : 1;
  return { format: formatOf(type.toLowerCase(), parameters), quality };
}

function formatOf(type: string, parameters: ReadonlyMap<string, string>): DiscoveryFormat | undefined {
  if (type === '*/*' || type === 'application/*') return 'legacy';
  if (type !== 'application/json') return undefined;
  if (!parameters.has('as')) return 'legacy';
  if (parameters.get('as') !== 'APIGroupDiscoveryList' || parameters.get('g') !== 'apidiscovery.k8s.io')
    return undefined;
  const version = parameters.get('v');
  return version === 'v2' || version === 'v2beta1' ? version : undefined;
}
