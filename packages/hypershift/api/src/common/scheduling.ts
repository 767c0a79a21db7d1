/** Parts of the Kubernetes scheduling vocabulary. */
import { int64, list, object, string, stringMap } from '../schema/index.ts';

export const toleration = object({
  key: string()
    .optional()
    .describe('Key of the taint to tolerate; left out together with operator `Exists` it matches every taint.'),
  value: string()
    .optional()
    .describe('Value the taint must have when the operator is `Equal`; leave it empty for `Exists`.'),
  effect: string().optional().describe('Taint effect to tolerate; empty stands for all effects.'),
  operator: string()
    .optional()
    .describe('How key and value are compared: `Equal` (assumed when absent) or `Exists`, which accepts any value.'),
  tolerationSeconds: int64()
    .optional()
    .describe(
      'Seconds a pod may stay after a `NoExecute` taint appears; absent means for ever,',
      'zero or less means leave at once.',
    ),
});

export const matchExpression = object({
  key: string().describe('Label key the expression looks at.'),
  operator: string().describe('Test to apply: `In`, `NotIn`, `Exists` or `DoesNotExist`.'),
  values: list(string(), { type: 'atomic' })
    .optional()
    .describe('Values for `In` and `NotIn`; must stay empty for the two existence tests.'),
});

export const labelSelector = object(
  {
    matchExpressions: list(matchExpression, { type: 'atomic' }).optional().describe('Label tests that must all hold.'),
    matchLabels: stringMap().optional().describe('Labels that must all be present with exactly these values.'),
  },
  { atomic: true },
);
