import type { Draft } from '../../kinds/behaviour.ts';
import { podAmounts } from '../pod-resources.ts';

export interface QuotaSpec {
  readonly hard?: Readonly<Record<string, string>>;
  readonly scopes?: readonly string[];
  readonly scopeSelector?: {
    readonly matchExpressions?: readonly {
      readonly scopeName: string;
      readonly operator: string;
      readonly values?: readonly string[];
    }[];
  };
}

/** Whether a quota is about this object. Scopes speak of pods only. */
export function inScope({ scopes = [], scopeSelector }: QuotaSpec, resource: string, object: Draft): boolean {
  const expressions = [
    ...scopes.map((scopeName) => ({ scopeName, operator: 'Exists', values: [] as readonly string[] })),
    ...(scopeSelector?.matchExpressions ?? []),
  ];
  if (expressions.length === 0) return true;
  if (resource !== 'pods') return false;
  const spec = (object['spec'] ?? {}) as Draft;
  return expressions.every((expression) => matches(expression, spec));
}

function matches(
  { scopeName, operator, values = [] }: { scopeName: string; operator: string; values?: readonly string[] },
  spec: Draft,
): boolean {
  switch (scopeName) {
    case 'Terminating':
      return isTerminating(spec);
    case 'NotTerminating':
      return !isTerminating(spec);
    case 'BestEffort':
      return isBestEffort(spec);
    case 'NotBestEffort':
      return !isBestEffort(spec);
    case 'CrossNamespacePodAffinity':
      return crossesNamespaces(spec);
    case 'PriorityClass': {
      const name = (spec['priorityClassName'] ?? '') as string;
      if (operator === 'In') return values.includes(name);
      if (operator === 'NotIn') return !values.includes(name);
      return operator === 'Exists' ? name !== '' : name === '';
    }
    default:
      return false;
  }
}

function isTerminating(spec: Draft): boolean {
  return typeof spec['activeDeadlineSeconds'] === 'number' && spec['activeDeadlineSeconds'] >= 0;
}

function isBestEffort(spec: Draft): boolean {
  const asks = (part: 'requests' | 'limits'): boolean => {
    const amounts = podAmounts(spec, part);
    return ['cpu', 'memory'].some((name) => amounts.get(name)?.isZero === false);
  };
  return !asks('requests') && !asks('limits');
}

function crossesNamespaces(spec: Draft): boolean {
  const terms = ['podAffinity', 'podAntiAffinity'].flatMap((kind) => {
    const affinity = (spec['affinity']?.[kind] ?? {}) as Draft;
    return [
      ...(affinity['requiredDuringSchedulingIgnoredDuringExecution'] ?? []),
      ...((affinity['preferredDuringSchedulingIgnoredDuringExecution'] ?? []) as Draft[]).map(
        ({ podAffinityTerm }) => podAffinityTerm,
      ),
    ] as (Draft | undefined)[];
  });
  return terms.some((term) => (term?.['namespaces'] ?? []).length > 0 || term?.['namespaceSelector'] !== undefined);
}
