import { isJsonObject, type JsonObject, type JsonValue } from '@hypershift-ts/kube-apimachinery';

/** Rather too much than too little: what expressions see may end up in messages everybody reads. */
const sensitive =
  /password|passphrase|secret|token|credential|private|auth|bearer|cert|kubeconfig|connection|api_?key|(access|account|encryption|registry|service|signing|ssh)_?key/i;
const placeholder = '***REDACTED***';
const maxDepth = 20;

/** The value with everything redacted whose name suggests a secret. */
export function masked(value: JsonObject): JsonObject {
  return mask(value, 0) as JsonObject;
}

function mask(value: JsonValue | undefined, depth: number): JsonValue {
  if (Array.isArray(value)) return depth >= maxDepth ? [] : value.map((item) => mask(item as JsonValue, depth + 1));
  if (!isJsonObject(value)) return value ?? null;
  if (depth >= maxDepth) return {};
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, sensitive.test(name) ? placeholder : mask(member, depth + 1)]),
  );
}
