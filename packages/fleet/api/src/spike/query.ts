import { invalid } from '../errors/index.ts';
import type { SearchNode } from '../search/index.ts';

/** Query parameters of the first API that today are searches: `?region=us-east1&status=healthy`. */
export function spikeFilter(query: URLSearchParams): SearchNode | undefined {
  const region = query.get('region');
  const status = query.get('status');
  const terms: SearchNode[] = [];
  if (region !== null && region !== '') {
    terms.push({ op: 'compare', field: 'spec.region', comparison: '=', value: { kind: 'string', value: region } });
  }
  if (status !== null && status !== '') {
    if (status !== 'healthy') {
      const message = "status must be 'healthy'; use search for anything else";
      throw invalid('Invalid query parameters', [{ field: 'status', value: status, constraint: 'enum', message }]);
    }
    const value = { kind: 'string', value: 'True' } as const;
    terms.push({ op: 'compare', field: 'status.conditions.Healthy', comparison: '=', value });
    terms.push({ op: 'null', field: 'deleted_time' });
  }
  return terms.reduce<SearchNode | undefined>((left, right) => (left ? { op: 'and', left, right } : right), undefined);
}
