/** Conditions as Kubernetes defines them. */
import { dateTime, enumOf, int64, list, object, raw, string } from '../schema/index.ts';

export const condition = object({
  type: string({
    maxLength: 316,
    pattern: raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`,
  }),
  lastTransitionTime: dateTime(),
  message: string({ maxLength: 32768 }),
  reason: string({ minLength: 1, maxLength: 1024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' }),
  status: enumOf(['True', 'False', 'Unknown']),
  observedGeneration: int64({ minimum: 0 }).optional(),
});

export const conditions = list(condition, { type: 'map', keys: ['type'], maxItems: 100 });
