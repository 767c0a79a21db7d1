/** Conditions as Kubernetes defines them. */
import { dateTime, enumOf, int64, list, object, raw, string } from '../schema/index.ts';

export const condition = object({
  type: string({
    maxLength: 316,
    pattern: raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`,
  }).describe('What the condition is about, such as `Available`; one entry exists per type.'),
  lastTransitionTime: dateTime().describe(
    'When `status` last flipped; a new message or reason alone does not move it.',
  ),
  message: string({ maxLength: 32768 }).describe('Explanation for people; do not parse it.'),
  reason: string({ minLength: 1, maxLength: 1024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' }).describe(
    'One CamelCase word a program may compare to learn why the status is what it is.',
  ),
  status: enumOf(['True', 'False', 'Unknown']).describe(
    'Whether the statement holds; `Unknown` means that nobody could tell yet.',
  ),
  observedGeneration: int64({ minimum: 0 })
    .optional()
    .describe(
      '`metadata.generation` the condition was computed for;',
      'lower than the current one means it is out of date.',
    ),
});

export const conditions = list(condition, { type: 'map', keys: ['type'], maxItems: 100 }).describe(
  'Latest findings about the object, one per type.',
);
