/** The annotation that patches virtual machine templates. */
import { type FieldError, fieldError, isJsonObject, type ObjectMeta } from '@hypershift-ts/kube-apimachinery';
import { lifeCycleAnnotations } from '../annotations/index.ts';

const operations = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test']);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A list of operations, each with op, path and, unless it removes, a value. */
export function validateKubeVirtPatch({
  metadata,
  spec,
}: {
  readonly metadata: ObjectMeta;
  readonly spec: { readonly platform?: { readonly type: string } };
}): readonly FieldError[] {
  const key = lifeCycleAnnotations.kubevirtVmJsonpatch.key;
  const text = metadata.annotations?.[key];
  if (text === undefined || spec.platform?.type !== 'KubeVirt') return [];
  const field = `metadata.annotations[${key}]`;
  const patch = parsed(text);
  if (!Array.isArray(patch)) return [fieldError.invalidOmitted(field, 'must be a JSON Patch: a list of operations')];
  return patch.flatMap((operation: unknown, index) => {
    const at = `${field}[${index}]`;
    if (!isJsonObject(operation)) return [fieldError.invalidOmitted(at, 'must be an object')];
    const { op, path, value } = operation;
    return [
      ...(typeof op === 'string' && operations.has(op)
        ? []
        : [fieldError.notSupported(`${at}.op`, op ?? '', [...operations])]),
      ...(typeof path === 'string' && path !== '' ? [] : [fieldError.required(`${at}.path`)]),
      ...(op === 'remove' || op === 'move' || op === 'copy' || value !== undefined
        ? []
        : [fieldError.required(`${at}.value`)]),
    ];
  });
}
