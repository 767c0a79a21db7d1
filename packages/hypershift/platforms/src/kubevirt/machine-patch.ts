import { annotations, type HostedCluster, type NodePool } from '@hypershift-ts/hypershift-api';
import { applyJsonPatch, isJsonObject, type JsonObject } from '@hypershift-ts/kube-apimachinery';
import { PlatformError } from '../errors.ts';

const key = annotations.kubevirtVmJsonpatch.key;

/** Objects on the way to a path that do not exist yet, as operations that make them. */
function missingParents(document: JsonObject, path: string): readonly object[] {
  const segments = path.split('/').slice(1, -1);
  const made: object[] = [];
  let at: unknown = document;
  let pointer = '';
  for (const segment of segments) {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    at = Array.isArray(at) ? at[Number(name)] : isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
    pointer += `/${segment}`;
    if (at === undefined) made.push({ op: 'add', path: pointer, value: {} });
  }
  return made;
}

/** The API machinery answers in general words, as servers do, and keeps what went wrong as their cause. */
function causeOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}

function patched(document: JsonObject, text: string, on: string): JsonObject {
  try {
    const operations = JSON.parse(text) as readonly { readonly op?: string; readonly path?: string }[];
    let result = document;
    for (const operation of operations) {
      // Users may add to what the template does not have.
      const parents = operation.op === 'add' ? missingParents(result, operation.path ?? '') : [];
      result = applyJsonPatch(result, [...parents, operation]);
    }
    return result;
  } catch (error) {
    throw new PlatformError('PLATFORM_ANNOTATION_INVALID', {
      message: `annotation ${key} of the ${on} does not apply: ${causeOf(error)}`,
      fix: 'write it as a JSON Patch whose paths exist in the virtual machine, such as /spec/template/spec/domain/cpu/cores',
      field: `metadata.annotations[${key}]`,
    });
  }
}

/** The virtual machine as users patched it: the cluster's patch first, then the pool's. */
export function withPatches(machine: JsonObject, cluster: HostedCluster, pool: NodePool): JsonObject {
  const first = cluster.metadata.annotations?.[key];
  const second = pool.metadata.annotations?.[key];
  const once = first ? patched(machine, first, 'HostedCluster') : machine;
  return second ? patched(once, second, 'NodePool') : once;
}
