import type { JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';

const SECRET = /password|secret|token$|authorization|cookie|api[-_]?key|credential/i;

/** A configuration that may be shown: values of keys that sound secret are masked. */
export function redacted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(redacted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      SECRET.test(key) && typeof item === 'string' && item !== '' ? '***REDACTED***' : redacted(item ?? null),
    ]),
  );
}
