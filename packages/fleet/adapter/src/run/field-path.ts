import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { compileJsonPath, isJsonObject } from '@hypershift-ts/kube-apimachinery';

/** What a field path leads to: `a.b.0.c`, or JSONPath in braces. Undefined when it leads nowhere. */
export function fieldValue(root: JsonObject, path: string): JsonValue | undefined {
  if (/[{[*$@]/.test(path)) {
    const found = compileJsonPath(path).find(root) as readonly JsonValue[];
    return found.length > 1 ? found : found[0];
  }
  let value: JsonValue | undefined = root;
  for (const step of path.split('.')) {
    if (step === '') continue;
    if (Array.isArray(value)) value = /^\d+$/.test(step) ? (value as readonly JsonValue[])[Number(step)] : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    if (value === undefined) return undefined;
  }
  return value;
}
