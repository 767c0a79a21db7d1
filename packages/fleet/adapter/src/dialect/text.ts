import type { JsonValue } from '@hypershift-ts/kube-apimachinery';

/** A value that should be a text; the empty text when it is something else. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
