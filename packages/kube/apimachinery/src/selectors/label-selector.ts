import type { LabelSelector } from '../names/index.ts';
import { parseRequirements } from './parse.ts';
import type { Requirement, SelectorOperator } from './requirement.ts';
import { formatRequirement, newRequirement, parseInt64, SelectorError } from './requirement.ts';

export type Labels = { readonly [key: string]: string } | undefined;

/** A compiled label selector. */
export interface Selector {
  readonly requirements: readonly Requirement[];
  /** True when it selects everything. */
  readonly everything: boolean;
  /** True when it can never select anything. */
  readonly nothing: boolean;
  matches(labels: Labels): boolean;
  /** The one value `key` must have, when the selector says so. */
  exactMatch(key: string): string | undefined;
  toString(): string;
}

type Matcher = (labels: Labels) => boolean;

// Inherited properties (`constructor`, `toString`) are never strings, so a type test is enough to tell own labels.
function valueOf(labels: Labels, key: string): string | undefined {
  const value: unknown = labels?.[key];
  return typeof value === 'string' ? value : undefined;
}

function compileRequirement({ key, operator, values }: Requirement): Matcher {
  const only = values[0];
  switch (operator) {
    case 'exists':
      return (labels) => valueOf(labels, key) !== undefined;
    case '!':
      return (labels) => valueOf(labels, key) === undefined;
    case '!=':
    case 'notin': {
      if (values.length === 1) return (labels) => valueOf(labels, key) !== only;
      const set = new Set(values);
      return (labels) => {
        const value = valueOf(labels, key);
        return value === undefined || !set.has(value);
      };
    }
    case '=':
    case '==':
    case 'in': {
      if (values.length === 1) return (labels) => valueOf(labels, key) === only;
      const set = new Set(values);
      return (labels) => {
        const value = valueOf(labels, key);
        return value !== undefined && set.has(value);
      };
    }
    case 'gt':
    case 'lt': {
      const limit = parseInt64(only ?? '');
      return (labels) => {
        const value = valueOf(labels, key);
        const number = value === undefined ? undefined : parseInt64(value);
        if (number === undefined || limit === undefined) return false;
        return operator === 'gt' ? number > limit : number < limit;
      };
    }
    default:
      return operator satisfies never;
  }
}

function compileAll(requirements: readonly Requirement[]): Matcher {
  const matchers = requirements.map(compileRequirement);
  const [first, second] = matchers;
  if (!first) return () => true;
  if (!second) return first;
  if (matchers.length === 2) return (labels) => first(labels) && second(labels);
  return (labels) => {
    for (const matcher of matchers) if (!matcher(labels)) return false;
    return true;
  };
}

/** Compiles requirements that have been checked already. */
export function selectorOf(requirements: readonly Requirement[]): Selector {
  const sorted = requirements.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  let text: string | undefined;
  return {
    requirements: sorted,
    everything: sorted.length === 0,
    nothing: false,
    matches: compileAll(sorted),
    exactMatch(key) {
      const found = sorted.find((requirement) => requirement.key === key);
      const exact = found && (found.operator === '=' || found.operator === '==' || found.operator === 'in');
      return exact && found.values.length === 1 ? found.values[0] : undefined;
    },
    toString: () => (text ??= sorted.map(formatRequirement).join(',')),
  };
}

export const everything: Selector = selectorOf([]);

export const nothing: Selector = {
  requirements: [],
  everything: false,
  nothing: true,
  matches: () => false,
  exactMatch: () => undefined,
  toString: () => '',
};

/** Parses `a=b,c in (d,e),!f,g>1`. Throws SelectorError with upstream's message. */
export function parseLabelSelector(text: string): Selector {
  const requirements = text === '' ? [] : parseRequirements(text);
  return requirements.length === 0 ? everything : selectorOf(requirements);
}

const operators: { readonly [name: string]: SelectorOperator } = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/** Compiles metav1.LabelSelector: absent selects nothing, empty selects everything. */
export function compileLabelSelector(selector: LabelSelector | null | undefined): Selector {
  if (selector === undefined || selector === null) return nothing;
  const requirements: Requirement[] = [];
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    requirements.push(newRequirement(key, '=', [value]));
  }
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    const known = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
    if (!known) throw new SelectorError(`${JSON.stringify(operator)} is not a valid label selector operator`);
    requirements.push(newRequirement(key, known, values));
  }
  return requirements.length === 0 ? everything : selectorOf(requirements);
}

/** Selects what carries all the given labels, unchecked, as `spec.selector` of a Service does. */
export function selectorFromSet(labels: Labels): Selector {
  const requirements = Object.entries(labels ?? {}).map(
    ([key, value]): Requirement => ({ key, operator: '=', values: [value] }),
  );
  return requirements.length === 0 ? everything : selectorOf(requirements);
}
