import type { ConditionReason } from './reasons.ts';

/** What True means: `positive` is good when True, `negative` is good when False, `informational` is neither. */
export type Polarity = 'positive' | 'negative' | 'informational';

/** Where the value of a condition comes from. */
export type ConditionSource =
  /** Decided by the writer from what it observes. */
  | { readonly computedFrom: string }
  /** Copied from a condition of another object; `inverted` swaps True and False. */
  | { readonly copiedFrom: string; readonly type: string; readonly inverted?: true }
  /** One answer for the same condition of many objects. */
  | { readonly aggregatedFrom: string; readonly type: string };

/** What is known about one condition type. */
export interface ConditionFacts {
  readonly polarity: Polarity;
  readonly meaning: string;
  readonly source: ConditionSource;
  readonly reasons: readonly ConditionReason[];
  /** When the condition is on the object at all; always, when not said. */
  readonly present?: string;
}

export type ConditionCatalogue = { readonly [type: string]: ConditionFacts };

/** The status a condition has when all is well, or undefined when it says nothing about health. */
export function goodStatus({ polarity }: ConditionFacts): 'True' | 'False' | undefined {
  if (polarity === 'informational') return undefined;
  return polarity === 'positive' ? 'True' : 'False';
}

export const computed = (computedFrom: string): ConditionSource => ({ computedFrom });
export const copied = (copiedFrom: string, type: string): ConditionSource => ({ copiedFrom, type });
export const inverted = (copiedFrom: string, type: string): ConditionSource => ({ copiedFrom, type, inverted: true });
export const aggregated = (aggregatedFrom: string, type: string): ConditionSource => ({ aggregatedFrom, type });
