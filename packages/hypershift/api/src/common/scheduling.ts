/** Parts of the Kubernetes scheduling vocabulary. */
import { int64, list, object, string, stringMap } from '../schema/index.ts';

export const toleration = object({
  key: string().optional(),
  value: string().optional(),
  effect: string().optional(),
  operator: string().optional(),
  tolerationSeconds: int64().optional(),
});

export const matchExpression = object({
  key: string(),
  operator: string(),
  values: list(string(), { type: 'atomic' }).optional(),
});

export const labelSelector = object(
  {
    matchExpressions: list(matchExpression, { type: 'atomic' }).optional(),
    matchLabels: stringMap().optional(),
  },
  { atomic: true },
);
